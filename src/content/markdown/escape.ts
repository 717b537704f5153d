import { isTexLink } from './tex.ts';

/**
 * Escaping after CommonMark 0.31 and GitHub's extensions: a backslash goes before a character only where it would be
 * misread, because every other one is noise to people and models. `5 * 3`, `snake_case`, `#1` and `a - b` stay.
 */

export interface TextContext {
  /** The character written before, '' at the start of a line. */
  before: string;
  /** What the line begins with, as it was written; null where no block can begin any more. */
  line: string | null;
  /** The block begins with a bracket: `]:` would end the label of a definition. */
  inLabel: boolean;
  /** Behind the label of a footnote. */
  inFootnote: boolean;
  /** In the text of a link or the description of an image. */
  inLink: boolean;
  /** Between the markers of emphasis. */
  inEmphasis: boolean;
  /** Whether the word before goes on, and an address is in it. */
  isInAddress: () => boolean;
  /** A tilde stands bare in the paragraph; another would strike out what is between them. */
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

/** Characters whose reading depends on what follows; at the end of a text they wait for it. */
const UNDECIDED = new Set(['\\', '*', '_', '<', '!', '[', ']', '~', '&']);

const SPECIAL = /[\\`*_[\]<&~!]/;
const ALL_SPECIAL = /[\\`*_[\]<&~!]/g;
const ENTITY = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/;
/** Bullets, numbers, headings, quotes, underlines of headings, rules, task boxes, definitions of links, formulas. */
const BLOCK_START =
  /^(?:[-+](?= |$)|\d{1,9}[.)](?= |$)|#{1,6}(?= |$)|>|=+$|(?:[-_*] ?){3,}$|\[[ xX]\](?= |$)|\[.{1,999}?\]:|\$\$)/;
/** What begins a block is shorter, or begins it with so many characters. */
const MAX_BLOCK_START = 32;
/** The line below the head of a table. */
const DELIMITER_ROW = /^\|? ?:?-+:?(?: ?\| ?:?-+:?)* ?\|?$/;
/** To a reader without footnotes their text is the address of a link, but not when white space is in it. */
const SCRIPT = /^(?:javascript|vbscript|data):/i;
const IN_TITLE = /["\\]/g;
/** A renderer of formulas could take the dollar sign for the end of one, and the rest for text. */
const IN_TITLE_WITH_DOLLAR = /["\\`<]|\](?=\()/g;
const FIRST_PUNCTUATION = /^([^!-/:-@[-`{-~\n]*)([!-/:-@[^-`{-~\]])/;
const ADDRESS = /(?:https?|ftp):\/\/|www\./i;
/** What of an address may stand at the end of what was looked at before. */
export const MAX_ADDRESS_START = 3;
/** Of a tag behind an address: a backslash would become part of the address, and the tag a tag. */
export const ESCAPED_IN_ADDRESS = '&lt;';
/** With a host that GitHub's Markdown makes a link of. */
const ADDRESS_START = /^\W?(?:https?:\/\/(?:[a-z\d-]+\.)+[a-z\d-]|www\.[a-z\d-])/i;
const ENDS_EMPHASIS = /[^\s/]_(?![\p{L}\p{N}])/u;
/** Of longer addresses so much is looked at before and behind. */
const MAX_WORD = 500;

/**
 * One line of text, white space collapsed, no white space at its ends.
 * @returns what can be written now, and a last character that waits for what follows
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
  // Behind a reference to a footnote, which is the text of a link to a reader without footnotes.
  const endsLink = context.before === ']' && text.startsWith('(');
  const endsLabel = context.inLabel && context.before === ']' && text.startsWith(':');
  if (endsLink || endsLabel) escaped = `\\${escaped}`;
  if (context.inFootnote && SCRIPT.test(`${context.line}${text}`)) escaped = escaped.replace(':', ': ');
  if (context.line === null || !startsBlock(context.line, text)) return { escaped, waiting };
  const inert = escaped.replace(FIRST_PUNCTUATION, '$1\\$2');
  if (inert !== escaped || escaped.includes('\\')) return { escaped: inert, waiting };
  return { escaped: waiting === '' ? escaped : `${escaped}\\${waiting}`, waiting: '' };
}

/** Whether a block can still begin with what is on the line: there is no letter, but for that of a task that is done. */
export function mayStartBlock(line: string): boolean {
  return line.length <= MAX_BLOCK_START && !/[a-wyz\u0080-\uffff]/i.test(line);
}

/** Whether a block begins with what is on the line and some of the text. */
function startsBlock(line: string, text: string): boolean {
  const whole = line + text;
  return (BLOCK_START.exec(whole)?.[0].length ?? 0) > line.length || DELIMITER_ROW.test(whole);
}

/** All the text that stands between two pieces of markup, such as brackets. */
export function escapeWhole(text: string): string {
  const { escaped, waiting } = escapeText(text, BETWEEN_MARKUP);
  return waiting === '' ? escaped : `${escaped}\\${waiting}`;
}

/** The title of a link or an image, which stands between quotation marks. */
export function escapeTitle(text: string): string {
  return text.replace(text.includes('$') ? IN_TITLE_WITH_DOLLAR : IN_TITLE, '\\$&');
}

/** Dollar signs that are no more than that, in a block with formulas. What has a backslash stays as it is. */
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

/** The words of a text that have an address in them, asked for from left to right. */
class AddressWords {
  readonly #text: string;
  /** Of the text that is read. */
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

/** Whether a text has an address from there on; rather one too many, because that costs no more than a space. */
export function holdsAddress(text: string, from: number): boolean {
  return text.indexOf('//', from) >= 0 || (text.indexOf('.', from) >= 0 && /www\./i.test(text.slice(from)));
}

/** `~5` is no strikethrough as long as no other tilde follows. */
function isOnlyTilde(text: string, index: number, before: string): boolean {
  return before !== '~' && !text.includes('~', index + 1);
}

/**
 * Addresses in text are links in GitHub's Markdown, and a backslash would become part of them. In the text of a link they
 * are text, where a lone sign is harmless.
 */
function isPartOfAddress(char: string, text: string, index: number, { inLink }: TextContext): boolean {
  if (char !== '*' && char !== '_' && char !== '~') return false;
  if (inLink && (char !== '_' || ENDS_EMPHASIS.test(text.slice(index, index + MAX_WORD)))) return false;
  const word = text.slice(Math.max(0, index - MAX_WORD), index);
  return ADDRESS_START.test(word.slice(word.lastIndexOf(' ') + 1));
}

/** Whether a special character would be read as markup between these two ('' is the start or the end of a line). */
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
      // The end of a text: the rest of what may be an entity is in the next.
      return /[#A-Za-z]/.test(next);
    default:
      return false;
  }
}

function isSpace(char: string): boolean {
  return char === '' || char === ' ';
}

/** The character that ends there, whole: emoji have two halves. */
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
