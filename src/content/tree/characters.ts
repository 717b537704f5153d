/** Character codes used in the syntax of HTML. */

export const SPACE = 32;
export const BANG = 33;
export const QUOTE = 34;
export const AMPERSAND = 38;
export const APOSTROPHE = 39;
export const SLASH = 47;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
export const NO_BREAK_SPACE = 160;

/** The bit that is set in lower-case letters and not in upper-case ones. */
export const CASE = 0x20;
const FIRST_LETTER = 97;
const LAST_LETTER = 122;

export function isLetter(code: number): boolean {
  const lower = code | CASE;
  return lower >= FIRST_LETTER && lower <= LAST_LETTER;
}

/** Tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code === SPACE || (code <= 13 && code >= 9 && code !== 11);
}

/** @param expected a character of a name in lower case */
export function isInAnyCase(code: number, expected: number): boolean {
  return code === expected || (code === expected - CASE && expected >= FIRST_LETTER && expected <= LAST_LETTER);
}

/** Whether that character ends the name of a tag. */
export function endsTagName(code: number): boolean {
  return code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));
}

/** Whether that character ends the name of an attribute. It can still be the first one of a name. */
export function endsAttributeName(code: number): boolean {
  return code <= GREATER && (code === EQUALS || code === GREATER || code === SLASH || isSpace(code));
}
