import { codeSpan } from './code-span.ts';
import { collapseSpace } from './collapse-space.ts';
import { characterBefore, ESCAPED_IN_ADDRESS, escapeDollars, escapeText, isMisread, mayStartBlock } from './escape.ts';
import { isNewWord, needsGap } from './gaps.ts';
import { LastWord } from './last-word.ts';
import type { Mark } from './mark.ts';
import { touchesMath } from './tex.ts';

/**
 * How blocks are written: as blocks; on one line with `<br>` between them (a table cell); or on one line with spaces
 * (a heading, the text of a link).
 */
export type Flow = 'block' | 'cell' | 'line';

interface OpenMark extends Mark {
  /** `waiting` for its first content; `written`; or `closed` by a block inside it and not to be reopened. */
  state: 'waiting' | 'written' | 'closed';
}

/** Deeper quotes and lists are written at this depth, so that a line is never much longer than its text. */
const MAX_NESTING = 12;
/** In characters. Further output is dropped. Strings cannot exceed 512 MB. */
const MAX_LENGTH = 100_000_000;

/** Joiners and direction marks with nothing to join or direct. Pages put them where nothing should be visible. */
const JOINERS = /^[\u200c-\u200f]+$/;

const BARE_TILDE = /(?:^|[^\\]|\\\\)~/;

const FOOTNOTE_START = /\[\^[^\]]+\]: $/;

/** Hashes at the end of a heading, which would be read as part of its marker. */
const CLOSING_HASHES = /(^| )(#+)$/;

/**
 * Puts Markdown together piece by piece. White space, line breaks and markers wait until content follows, so that none is
 * left dangling: `<b> x </b>y` becomes ` **x** y`, and an empty item or heading becomes nothing at all.
 */
export class Writer {
  flow: Flow;
  /** The number of blank lines written so far. It tells loose list items from tight ones. */
  blankLines = 0;
  /** Everything but the block that is being written. */
  #out = '';
  #block = '';
  /** The line so far, as long as a block can still begin with it; else null. */
  #line: string | null = '';
  /** The line began with a bracket. */
  #bracket = false;
  /** The line begins with the label of a footnote. */
  #inFootnote = false;
  readonly #word = new LastWord();
  /** The block has dollar signs that are not text. Those in the text before them have a backslash. */
  #hasDollars = false;
  #hasFormula = false;
  /** The last character of content on the current line; '' at its start. */
  #last = '';
  /** A special character whose meaning depends on what comes next. */
  #undecided = '';
  /** A tilde was written since the block began. */
  #hasTilde = false;
  #space = false;
  /** The number of `<br>` since the last content. */
  #hardBreaks = 0;
  /** 1 for a new line, 2 for a blank line before it. */
  #break = 0;
  #breakPrefix = '';
  /** The start of each line: quote markers and the indent of list items. */
  #prefix = '';
  /** The start of the next line instead, if a list item or a heading begins there. */
  #lead: string | null = null;
  /** The next block has its place already, after a list marker. */
  #placed = false;
  #nesting = 0;
  /** The length of the output right after the last rule. */
  #ruleEnd = -1;
  #inHeading = false;
  /** `behind` if an element ended since the last content, `between` if another one has begun since. */
  #edge: 'none' | 'behind' | 'between' = 'none';
  readonly #marks: OpenMark[] = [];
  /** Marks that wait to be closed, because the same mark may continue at once. */
  #closing: OpenMark[] = [];

  /** Whether the whole output is a table cell, on one line. */
  readonly isCell: boolean;

  constructor(flow: 'block' | 'cell' = 'block') {
    this.flow = flow;
    this.isCell = flow === 'cell';
  }

  /** The number of characters written. If it is unchanged, nothing was written. */
  get length(): number {
    return this.#out.length + this.#block.length;
  }

  get inLink(): boolean {
    return this.#marks.some((mark) => mark.kind === 'link');
  }

  isIn({ open }: Mark): boolean {
    return this.#marks.some((mark) => mark.open === open);
  }

  /** Writes text as it is in the page. */
  text(raw: string): void {
    const text = collapseSpace(raw);
    if (text === '') return;
    if (text.startsWith(' ')) this.#space = true;
    const body = text.trim();
    if (body === '' || JOINERS.test(body)) return;
    this.#flush(body, false);
    const { escaped, waiting } = escapeText(body, this.#context());
    const plain = this.#inHeading ? escaped.replace(CLOSING_HASHES, '$1\\$2') : escaped;
    this.#write(this.#protectsDollars ? escapeDollars(plain) : plain);
    this.#undecided = waiting;
    this.#hasTilde ||= BARE_TILDE.test(escaped);
    this.#space = text.endsWith(' ');
  }

  /** Writes Markdown or inline HTML without escaping, on one line. */
  verbatim(markdown: string): void {
    if (markdown === '') return;
    this.#flush(markdown, true);
    this.#write(this.#protectsDollars ? escapeDollars(markdown) : markdown);
    this.#word.forget();
  }

  /** Writes code as it is in the page, on one line. */
  code(code: string): void {
    const isBehindFormula = this.#hasFormula && this.#break < 2;
    this.#mathLike(codeSpan(code, { isBehindFormula, isInCell: this.isCell }));
    this.#word.forget();
  }

  /** Writes a formula between dollar signs, on one line. Without maths support, an address in it is a link. */
  formula(markdown: string): void {
    this.#mathLike(markdown);
    this.#hasFormula = true;
  }

  /** White space. */
  space(): void {
    this.#space = true;
  }

  /** `<br>`. Two in a row start a paragraph. */
  lineBreak(): void {
    if (this.flow === 'line' || this.inLink) this.#space = true;
    else if (this.#break === 0 && !this.#isEmpty) this.#hardBreaks++;
  }

  /** Starts or ends a block. @param lines 2 for a blank line there, 1 for none */
  block(lines: 1 | 2 = 2): void {
    if (this.flow === 'line') {
      this.#space = true;
    } else if (this.flow === 'cell') {
      if (!this.#isEmpty) this.#hardBreaks = Math.max(this.#hardBreaks, 1);
    } else if (!this.#placed && !this.#isEmpty) {
      this.#endLine();
      this.#breakPrefix = this.#break === 0 ? this.#prefix : shorter(this.#breakPrefix, this.#prefix);
      this.#break = Math.max(this.#break, lines);
    }
  }

  /** As `block`, but overrides what was asked for before. */
  blockExactly(lines: 1 | 2): void {
    this.block(lines);
    if (this.#break > 0 && !this.#placed) this.#break = lines;
  }

  /** Runs `content` with every line starting with `prefix`, the first with `lead` instead. */
  nested(lead: string, prefix: string, content: () => void): void {
    const outer = { prefix: this.#prefix, lead: this.#lead, placed: this.#placed };
    const deeper = this.flow === 'block' && this.#nesting < MAX_NESTING;
    if (deeper) this.#prefix += prefix;
    if ((deeper || this.flow === 'cell') && (lead !== prefix || outer.lead !== null)) {
      this.#lead = (outer.lead ?? outer.prefix) + lead;
    }
    if (deeper && lead !== prefix) this.#placed = true;
    const start = this.length;
    this.#nesting++;
    content();
    this.#nesting--;
    if (this.flow === 'block') this.#endLine();
    this.#prefix = outer.prefix;
    const isEmpty = this.length === start;
    // If nothing came, the marker is not written, and the place after an outer marker is still free.
    this.#placed = isEmpty && outer.placed;
    if (isEmpty) this.#lead = outer.lead;
  }

  /** Runs `content` on one line, after the marker of a heading. */
  heading(marker: string, content: () => void): void {
    const { flow } = this;
    const lead = this.#lead;
    const start = this.length;
    if (flow === 'block') this.#lead = (lead ?? this.#prefix) + marker;
    this.flow = 'line';
    this.#inHeading = flow === 'block';
    content();
    this.#inHeading = false;
    if (flow === 'block') this.#endLine();
    this.flow = flow;
    if (this.length === start) this.#lead = lead;
  }

  /** Writes lines that are complete as they are: code, table rows, a rule. They cannot be inside a mark. */
  lines(lines: readonly string[]): void {
    this.#beginContent('', true);
    const bare = this.#prefix.trimEnd();
    this.#write(
      lines.map((line, index) => (index === 0 ? line : (line === '' ? bare : this.#prefix) + line)).join('\n'),
    );
    this.#endBlock();
  }

  /** Writes a line. Whatever comes next goes directly below it. */
  headLine(markdown: string): void {
    this.verbatim(markdown);
    this.#endLine();
    this.#break = 1;
    this.#breakPrefix = this.#prefix;
    this.#placed = true;
  }

  /** Writes a rule, unless there is one already or nothing is above it. */
  rule(): void {
    this.block();
    if (this.flow !== 'block' || this.#placed || this.length === 0 || this.length === this.#ruleEnd) return;
    this.lines(['---']);
    this.#ruleEnd = this.length;
    this.block();
  }

  /** An element begins. */
  elementStart(): void {
    if (this.#edge === 'behind') this.#edge = 'between';
  }

  /** An element ends. */
  elementEnd(): void {
    this.#edge = 'behind';
  }

  open(mark: Mark): void {
    const last = this.#closing.at(-1);
    const direct = !this.#space && this.#hardBreaks === 0 && this.#marks.every(({ state }) => state !== 'waiting');
    if (mark.kind === 'emphasis' && last?.open === mark.open && direct) {
      this.#closing.pop();
      this.#marks.push(last);
      return;
    }
    this.#marks.push({ ...mark, state: 'waiting' });
  }

  /** Ends the mark that was opened last. @returns whether there was anything in it */
  close(): boolean {
    const last = this.#marks.at(-1);
    if (last?.kind === 'link' && last.state === 'written') this.#settle(']');
    const mark = this.#marks.pop();
    if (mark?.state === 'written') this.#closing.push(mark);
    return mark !== undefined && mark.state !== 'waiting';
  }

  /** Runs `content` outside the innermost mark, if that mark still waits for its first content. */
  besideMark(content: () => void): void {
    const mark = this.#marks.at(-1);
    if (mark?.state !== 'waiting') {
      content();
      return;
    }
    mark.state = 'closed';
    content();
    mark.state = 'waiting';
  }

  /** Ends the last line and returns the Markdown. */
  finish(): string {
    this.#endLine();
    return this.#out + this.#block;
  }

  /** Whether nothing has been written and no character waits to be. */
  get #isEmpty(): boolean {
    return this.length === 0 && this.#undecided === '';
  }

  #context() {
    const startsBlocks = this.flow === 'block';
    return {
      before: this.#last,
      line: startsBlocks ? this.#line : null,
      inLabel: startsBlocks && this.#bracket,
      inFootnote: this.#inFootnote,
      inLink: this.#isIn('link'),
      isInAddress: () => this.#word.mayHaveAddress,
      hasTilde: this.#hasTilde,
      inEmphasis: this.#isIn('emphasis'),
    };
  }

  /** Whether the next content will be between the markers of a mark of that kind. */
  #isIn(kind: Mark['kind']): boolean {
    return this.#marks.some((mark) => mark.kind === kind && mark.state === 'written');
  }

  #write(markdown: string): void {
    if (this.length > MAX_LENGTH) return;
    if (this.#line !== null) {
      if (this.#line === '') this.#bracket ||= markdown.startsWith('[');
      const line = this.#line + markdown;
      this.#line = mayStartBlock(line) ? line : null;
    }
    this.#block += markdown;
    this.#word.add(markdown);
    if (markdown !== '') this.#last = characterBefore(markdown, markdown.length);
    this.#edge = 'none';
    this.#placed = false;
  }

  /** Writes markup that may hold dollar signs. Those in the text before are escaped, so that they start no formula. */
  #mathLike(markdown: string): void {
    if (markdown === '') return;
    this.#flush(markdown, true);
    if (!this.#hasDollars && touchesMath(markdown)) {
      this.#hasDollars = true;
      this.#block = escapeDollars(this.#block);
    }
    this.#write(markdown);
  }

  /** Whether dollar signs must be escaped. After a formula, `codeSpan` handles them, so that prices stay as they are. */
  get #protectsDollars(): boolean {
    return this.#hasDollars && !this.#hasFormula;
  }

  #endBlock(): void {
    this.#out += this.#block;
    this.#block = '';
    this.#hasDollars = false;
    this.#hasFormula = false;
  }

  /** Writes everything that waits for content. @param content the content that comes next */
  #flush(content: string, isMarkup: boolean): void {
    this.#beginContent(content, isMarkup);
    for (const mark of this.#marks) {
      if (mark.state !== 'waiting') continue;
      this.#write(mark.open);
      mark.state = 'written';
    }
  }

  /** The same without opening the marks around it. */
  #beginContent(content: string, isMarkup: boolean): void {
    if (this.#hardBreaks > 1 && !this.isCell) this.#startParagraph();
    if (this.#break > 0 || this.#isEmpty) this.#startLine();
    else this.#continueLine(content, isMarkup);
    this.#space = false;
    this.#hardBreaks = 0;
  }

  #startParagraph(): void {
    this.#endLine();
    this.#breakPrefix = this.#prefix;
    this.#break = 2;
  }

  #startLine(): void {
    const lead = this.#lead;
    if (this.length > 0) {
      if (this.#break === 2) {
        this.#endBlock();
        this.#block += `\n${this.#breakPrefix.trimEnd()}`;
        // A blank line before the first line of an item is not part of the item.
        if (!this.#placed) this.blankLines++;
      }
      this.#block += '\n';
    }
    this.#block += lead ?? this.#prefix;
    this.#lead = null;
    this.#forgetLine();
    this.#bracket = false;
    this.#inFootnote = lead !== null && FOOTNOTE_START.test(lead);
    this.#hasTilde = false;
    this.#break = 0;
  }

  #continueLine(content: string, isMarkup: boolean): void {
    const first = firstCharacter(content);
    const opening = this.#marks.filter((mark) => mark.state === 'waiting');
    const apart = this.#space || this.#hardBreaks > 0;
    const gapText = this.isCell && this.#hardBreaks > 0 ? '<br>' : ' ';
    this.#settle(this.#closing[0]?.close ?? (apart ? gapText : (opening[0]?.open ?? first)));
    const glued = this.#edge === 'between' && isNewWord(this.#last, content);
    const isOther = isMarkup || opening.some(({ kind }) => kind === 'link');
    const swallowed = isOther && !apart && !this.#isIn('link') && this.#word.hasAddress;
    const gap = apart || glued || swallowed || needsGap(this.#last, this.#closing, opening, first);
    this.#writeClosing();
    if (this.#hardBreaks === 0) {
      if (gap) this.#write(' ');
    } else if (this.isCell) {
      this.#write(`<br>${this.#lead ?? ''}`);
      this.#lead = null;
    } else {
      this.#write(`  \n${this.#prefix}`);
      this.#forgetLine();
    }
  }

  #forgetLine(): void {
    this.#last = '';
    this.#line = '';
    this.#word.forget();
    this.#inFootnote = false;
  }

  /** Ends the open marks. Emphasis continues in the next block, a link does not. */
  #endLine(): void {
    const written = this.#marks.filter((mark) => mark.state === 'written').reverse();
    this.#closing.push(...written);
    this.#settle(this.#closing[0]?.close ?? '');
    this.#writeClosing();
    for (const mark of written) mark.state = mark.kind === 'link' ? 'closed' : 'waiting';
    this.#space = false;
    this.#hardBreaks = 0;
  }

  #writeClosing(): void {
    for (const mark of this.#closing) {
      this.#write(mark.close);
      if (mark.kind === 'link') this.#word.endLink();
      else if (mark.close.startsWith('<')) this.#word.forget();
    }
    this.#closing = [];
  }

  /** Writes the character that waited for what follows it. */
  #settle(next: string): void {
    const char = this.#undecided;
    if (char === '') return;
    this.#undecided = '';
    if (!isMisread(char, this.#last, next.charAt(0), this.#context())) this.#write(char);
    else this.#write(char === '<' && this.#word.mayHaveAddress ? ESCAPED_IN_ADDRESS : `\\${char}`);
  }
}

function firstCharacter(text: string): string {
  const code = text.codePointAt(0);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function shorter(one: string, other: string): string {
  return one.length < other.length ? one : other;
}
