/** The letters and digits of a text, in lower case. Compares texts that differ only in punctuation and spaces. */
export function lettersOf(text = ''): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
