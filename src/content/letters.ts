/** The letters and digits of a text, in lower case: for comparing what differs in marks and spaces. */
export function lettersOf(text = ''): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
