/** A place in a text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** The kinds that are recognised by rule alone. */
export type Entity = 'EMAIL' | 'PHONE' | 'FINANCIAL' | 'SECRET';

/** Yields what it recognises in ascending order, without overlaps, in time linear in the text. */
export type Recogniser = (text: string) => Iterable<Span>;

const isAsciiAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/**
 * Whether the character at `at` would make what stands beside it part of a longer word. Scripts written
 * without spaces do not count: in `电话13812345678` the number begins right after a letter.
 */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // NaN beyond either end of the text compares false. 0xC0 to 0x58F: accented Latin, Greek, Cyrillic, Armenian.
  return isAsciiAlphanumeric(code) || code === 95 || (code >= 0xc0 && code <= 0x58f);
}
