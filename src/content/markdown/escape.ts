/**
 * Escaping after CommonMark 0.31 and GitHub's extensions: a backslash goes before a character only where it would be
 * misread, because every other one is noise to people and models. `5 * 3`, `snake_case`, `#1` and `a - b` stay.
 */

export interface TextContext {
  /** The character written before, '' at the start of a line. */
  before: string;
  /** At the start of a line where blocks begin. */
  lineStart: boolean;
  /** In the text of a link or the description of an image. */
  inLink: boolean;
  /** Between the markers of emphasis. */
  inEmphasis: boolean;
  /** A tilde stands bare in the paragraph; another would strike out what is between them. */
  hasTilde: boolean;
}

/** Characters whose reading depends on what follows; at the end of a text they wait for it. */
const UNDECIDED = new Set(['\\', '*', '_', '<', '!', ']', '~']);

const SPECIAL = /[\\`*_[\]<&~!]/;
const ALL_SPECIAL = /[\\`*_[\]<&~!]/g;
const ENTITY = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/;
/** Bullets, headings, quotes, underlines of headings, rules, task boxes, definitions of links. */
const BLOCK_START = /^(?:[-+](?= |$)|#{1,6}(?= |$)|>|=+$|(?:[-_*] ?){3,}$|\[[ xX]\](?= |$)|\[[^\]]{1,100}\]:)/;
/** The line below the head of a table. */
const DELIMITER_ROW = /^\|? ?:?-+:?(?: ?\| ?:?-+:?)* ?\|?$/;
const NUMBERED_START = /^(\d{1,9})([.)])(?= |$)/;
const ADDRESS = /https?:\/\/|www\./i;
const ADDRESS_START = /^\W?(?:https?:\/\/|www\.)/i;
/** CommonMark, "Autolinks": they show what the text says. */
const AUTOLINK = /^<https?:\/\/[^\s<>]+>/i;
/** Longer addresses are looked at from here only. */
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
    if (UNDECIDED.has(last)) waiting = last;
    escaped = escapeInner(waiting === '' ? text : text.slice(0, -1), waiting, context);
  }
  return { escaped: context.lineStart ? escapeLineStart(text, escaped) : escaped, waiting };
}

/** @param after the character that follows the text */
function escapeInner(text: string, after: string, context: TextContext): string {
  const hasAddress = ADDRESS.test(text);
  return text.replace(ALL_SPECIAL, (char, index: number) => {
    const before = index > 0 ? text.charAt(index - 1) : context.before;
    const next = index + 1 < text.length ? text.charAt(index + 1) : after;
    if (char === '&') return ENTITY.test(text.slice(index, index + 40)) ? '\\&' : char;
    if (char === '~' && !context.hasTilde && after !== '~' && isOnlyTilde(text, index, before)) return char;
    if (char === '<' && !context.inLink && AUTOLINK.test(text.slice(index, index + MAX_WORD))) return char;
    if (hasAddress && (char === '*' || char === '_' || char === '~') && isInAddress(text, index)) return char;
    return isMisread(char, before, next, context) ? `\\${char}` : char;
  });
}

/** `~5` is no strikethrough as long as no other tilde follows. */
function isOnlyTilde(text: string, index: number, before: string): boolean {
  return before !== '~' && !text.includes('~', index + 1);
}

/** A backslash for text that would start a block, unless its first character has one already. */
function escapeLineStart(text: string, escaped: string): string {
  if (BLOCK_START.test(text) || DELIMITER_ROW.test(text)) return escaped.startsWith('\\') ? escaped : `\\${escaped}`;
  return escaped.replace(NUMBERED_START, '$1\\$2');
}

/** Addresses in text are links in GitHub's Markdown; a backslash would become part of them. */
function isInAddress(text: string, index: number): boolean {
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
      return context.inLink || next === '(';
    case '<':
      return /[A-Za-z/!?]/.test(next);
    case '!':
      return next === '[';
    default:
      return false;
  }
}

function isSpace(char: string): boolean {
  return char === '' || char === ' ';
}

/** Neither space nor punctuation, as CommonMark's rules of emphasis see it. */
export function isWordCharacter(char: string): boolean {
  return char !== '' && char !== ' ' && !/[\p{P}\p{S}]/u.test(char);
}

function isAsciiPunctuation(char: string): boolean {
  return char !== '' && /[!-/:-@[-`{-~]/.test(char);
}
