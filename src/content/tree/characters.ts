/** Character codes that the syntax of HTML is made of. */

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

/** What lower-case letters have and upper-case letters have not. */
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

/** Whether the name of a tag ends before that character. */
export function endsTagName(code: number): boolean {
  return code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));
}

/** Whether the name of an attribute ends before that character, which may be its first all the same. */
export function endsAttributeName(code: number): boolean {
  return code <= GREATER && (code === EQUALS || code === GREATER || code === SLASH || isSpace(code));
}
