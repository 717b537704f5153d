/** Longer texts are cut here: titles and snippets are far shorter. */
const MAX_LENGTH = 2_000;
/** A word, or one character of a script that is written without spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** The words of a text, normalised for comparison: lower case, without accents and without the s of a plural. */
export function wordsOf(text: string): string[] {
  const plain = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
  return fold(plain).match(WORD)?.map(singular) ?? [];
}

/** The words of an address: of its host, path and query, split at separators and before capitals. */
export function addressWords(url: string): string[] {
  const address = url.replace(/^https?:\/\/(?:www\.)?/, '').slice(0, MAX_LENGTH);
  return wordsOf(decoded(address).replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 '));
}

function fold(text: string): string {
  const lower = text.toLowerCase();
  // Half of all texts, and nearly all addresses, are ASCII.
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  return lower
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC');
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function decoded(address: string): string {
  if (!address.includes('%')) return address;
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
