import { isTexLink } from './tex.ts';

/**
 * Escaping according to CommonMark 0.31 and GitHub's extensions. A character gets a backslash only where it would be
 * misread, because any other backslash is noise to people and models. `5 * 3`, `snake_case`, `#1` and `a - b` stay.
 */

export interface TextContext {
  /** The character written before, '' at the start of a line. */
  before: string;
  /** The line so far, as it was written; null once no block can begin on it. */
  line: string | null;
  /** The block begins with a bracket, so `]:` would end the label of a link definition. */
  inLabel: boolean;
  /** Directly after the label of a footnote. */
  inFootnote: boolean;
  /** In the text of a link or the description of an image. */
  inLink: boolean;
  /** Between the markers of emphasis. */
  inEmphasis: boolean;
  /** Whether the text continues a word that has an address in it. */
  isInAddress: () => boolean;
  /** The paragraph has an unescaped tilde. Another one would strike out the text between them. */
  hasTilde: boolean;
}

const BETWEEN_MARKUP: TextContext = {
  before: '[',
  line: null,
  inLabel: false,
  inFootnote: false,
  inLink: true,
  inEmphasis: false,
  isInAddress: () => false,
  hasTilde: false,
};

/** Characters whose meaning depends on what follows. At the end of a text they wait for it. */
const UNDECIDED = new Set(['\\', '*', '_', '<', '!', '[', ']', '~', '&']);

const SPECIAL = /[\\`*_[\]<&~!]/;
const ALL_SPECIAL = /[\\`*_[\]<&~!]/g;
const ENTITY = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/;
/** Bullets, numbers, headings, quotes, underlines of headings, rules, task boxes, definitions of links, formulas. */
const BLOCK_START =
  /^(?:[-+](?= |$)|\d{1,9}[.)](?= |$)|#{1,6}(?= |$)|>|=+$|(?:[-_*] ?){3,}$|\[[ xX]\](?= |$)|\[.{1,999}?\]:|\$\$)/;
/** How many characters at the start of a line can decide that it begins a block. */
const MAX_BLOCK_START = 32;
/** The line below the head row of a table. */
const DELIMITER_ROW = /^\|? ?:?-+:?(?: ?\| ?:?-+:?)* ?\|?$/;
/** A renderer without footnotes takes their text for the address of a link, unless it has white space in it. */
const SCRIPT = /^(?:javascript|vbscript|data):/i;
const IN_TITLE = /["\\]/g;
/** A renderer with maths support could take a dollar sign for the end of a formula, and the rest for text. */
const IN_TITLE_WITH_DOLLAR = /["\\`<]|\](?=\()/g;
const FIRST_PUNCTUATION = /^([^!-/:-@[-`{-~\n]*)([!-/:-@[^-`{-~\]])/;
const ADDRESS = /(?:https?|ftp):\/\/|www\./i;
/** How many characters of the start of an address may be at the end of the text that was checked before. */
export const MAX_ADDRESS_START = 3;
/** A `<` after an address. A backslash would become part of the address, and the tag would stay a tag. */
export const ESCAPED_IN_ADDRESS = '&lt;';
/** The start of an address with a host that GitHub's Markdown turns into a link. */
const ADDRESS_START = /^\W?(?:https?:\/\/(?:[a-z\d-]+\.)+[a-z\d-]|www\.[a-z\d-])/i;
const ENDS_EMPHASIS = /[^\s/]_(?![\p{L}\p{N}])/u;
/** How many characters of an address are checked before and after the current one. */
const MAX_WORD = 500;

/**
 * Escapes one line of text with its white space collapsed and none at its ends.
 * @returns the text that can be written now, and a last character that waits for what follows
 */
export function escapeText(text: string, context: TextContext): { escaped: string; waiting: string } {
  let escaped = text;
  let waiting = '';
  if (SPECIAL.test(text)) {
    const last = text.slice(-1);
    const hasAddress = ADDRESS.test(text);
    const isDecided = hasAddress && isPartOfAddress(last, text, text.length - 1, context);
    if (UNDECIDED.has(last) && !isDecided) waiting = last;
    escaped = escapeInner(waiting === '' ? text : text.slice(0, -1), waiting, hasAddress, context);
  }
  // A footnote reference comes before. A renderer without footnotes reads it as the text of a link.
  const endsLink = context.before === ']' && text.startsWith('(');
  const endsLabel = context.inLabel && context.before === ']' && text.startsWith(':');
  if (endsLink || endsLabel) escaped = `\\${escaped}`;
  if (context.inFootnote && SCRIPT.test(`${context.line}${text}`)) escaped = escaped.replace(':', ': ');
  if (context.line === null || !startsBlock(context.line, text)) return { escaped, waiting };
  const inert = escaped.replace(FIRST_PUNCTUATION, '$1\\$2');
  if (inert !== escaped || escaped.includes('\\')) return { escaped: inert, waiting };
  return { escaped: waiting === '' ? escaped : `${escaped}\\${waiting}`, waiting: '' };
}

/** Whether the line so far can still begin a block: it has no letter but the `x` of a finished task. */
export function mayStartBlock(line: string): boolean {
  return line.length <= MAX_BLOCK_START && !/[a-wyz\u0080-\uffff]/i.test(line);
}

/** Whether the line so far begins a block together with some of the text. */
function startsBlock(line: string, text: string): boolean {
  const whole = line + text;
  return (BLOCK_START.exec(whole)?.[0].length ?? 0) > line.length || DELIMITER_ROW.test(whole);
}

/** Escapes the whole text between two pieces of markup, such as brackets. */
export function escapeWhole(text: string): string {
  const { escaped, waiting } = escapeText(text, BETWEEN_MARKUP);
  return waiting === '' ? escaped : `${escaped}\\${waiting}`;
}

/** Escapes the title of a link or an image, which is between quotation marks. */
export function escapeTitle(text: string): string {
  return text.replace(text.includes('$') ? IN_TITLE_WITH_DOLLAR : IN_TITLE, '\\$&');
}

/** Escapes literal dollar signs in a block with formulas. Characters that have a backslash already stay as they are. */
export function escapeDollars(markdown: string): string {
  return markdown.replace(/\\[\s\S]|\$/g, (found) => (found === '$' ? '\\$' : found));
}

/** @param after the character that follows the text */
function escapeInner(text: string, after: string, hasAddress: boolean, context: TextContext): string {
  const addresses = new AddressWords(text, context.isInAddress);
  return text.replace(ALL_SPECIAL, (char, index: number) => {
    const before = index > 0 ? characterBefore(text, index) : context.before;
    const next = index + 1 < text.length ? text.charAt(index + 1) : after;
    if (char === '&') return ENTITY.test(text.slice(index, index + 40)) ? '\\&' : char;
    if (char === '~' && !context.hasTilde && after !== '~' && isOnlyTilde(text, index, before)) return char;
    if (hasAddress && isPartOfAddress(char, text, index, context)) return char;
    if (char === '\\' && isTexLink(text, index)) return '\\\\';
    if (!isMisread(char, before, next, context)) return char;
    return char === '<' && addresses.reachTo(index) ? ESCAPED_IN_ADDRESS : `\\${char}`;
  });
}

/** Tells which words of a text have an address in them. Positions must be asked for from left to right. */
class AddressWords {
  readonly #text: string;
  /** Whether the text read so far ends in a word with an address. */
  #endsInAddress: () => boolean;
  #read = 0;

  constructor(text: string, isInAddress: () => boolean) {
    this.#text = text;
    this.#endsInAddress = isInAddress;
  }

  reachTo(index: number): boolean {
    const text = this.#text.slice(Math.max(0, this.#read - MAX_ADDRESS_START), index);
    const space = text.lastIndexOf(' ');
    const reaches = holdsAddress(text, space + 1) || (space < 0 && this.#endsInAddress());
    this.#endsInAddress = () => reaches;
    this.#read = index;
    return reaches;
  }
}

/** Whether the text has an address from that position on. If in doubt it does: a false positive costs only a space. */
export function holdsAddress(text: string, from: number): boolean {
  return text.indexOf('//', from) >= 0 || (text.indexOf('.', from) >= 0 && /www\./i.test(text.slice(from)));
}

/** Whether the tilde is the only one. `~5` is not a strikethrough as long as no other tilde follows. */
function isOnlyTilde(text: string, index: number, before: string): boolean {
  return before !== '~' && !text.includes('~', index + 1);
}

/**
 * Whether the character is part of an address. GitHub's Markdown turns addresses in text into links, and a backslash would
 * become part of them. In the text of a link, addresses are plain text, and a lone sign in them is harmless.
 */
function isPartOfAddress(char: string, text: string, index: number, { inLink }: TextContext): boolean {
  if (char !== '*' && char !== '_' && char !== '~') return false;
  if (inLink && (char !== '_' || ENDS_EMPHASIS.test(text.slice(index, index + MAX_WORD)))) return false;
  const word = text.slice(Math.max(0, index - MAX_WORD), index);
  return ADDRESS_START.test(word.slice(word.lastIndexOf(' ') + 1));
}

/** Whether a special character would be read as markup between two others ('' is the start or the end of a line). */
export function isMisread(char: string, before: string, next: string, context: TextContext): boolean {
  switch (char) {
    case '\\':
      return isAsciiPunctuation(next);
    case '`':
      return true;
    case '*':
      if (!isSpace(next)) return true;
      return before === '' || (context.inEmphasis && !isSpace(before));
    case '_':
      return !isSpace(next) && !isWordCharacter(before);
    case '~':
      return !isSpace(next) || before === '~' || (context.hasTilde && !isSpace(before));
    case '[':
      return context.inLink || next === '^';
    case ']':
      return context.inLink || next === '(' || (context.inLabel && next === ':');
    case '<':
      return /[A-Za-z/!?]/.test(next);
    case '!':
      return next === '[';
    case '&':
      // At the end of a text, the rest of a possible entity may be in the next one.
      return /[#A-Za-z]/.test(next);
    default:
      return false;
  }
}

function isSpace(char: string): boolean {
  return char === '' || char === ' ';
}

/** The whole character that ends at the index: an emoji is two code units. */
export function characterBefore(text: string, index: number): string {
  const half = text.charCodeAt(index - 1);
  return half >= 0xdc00 && half < 0xe000 ? text.slice(Math.max(0, index - 2), index) : text.charAt(index - 1);
}

/** Neither space nor punctuation, as CommonMark's rules of emphasis see it. */
export function isWordCharacter(char: string): boolean {
  return char !== '' && char !== ' ' && !/[\p{P}\p{S}]/u.test(char);
}

function isAsciiPunctuation(char: string): boolean {
  return char !== '' && /[!-/:-@[-`{-~]/.test(char);
}
