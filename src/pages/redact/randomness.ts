/** Bits per character by Shannon's measure: 0 for `aaaa`, 4 for random hex, near 6 for random base64. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** What documentation writes where a reader's own value goes, shell variables, and keys that are public. */
const PLACEHOLDER =
  /^(?:your|my|some|the|insert|enter|replace|change|put|add|example|placeholder|redacted)(?![a-z])|^(?:api|access|secret|auth)[-_]?(?:key|token)|x{4}|\*{3}|\.{3}|^\$\w+$|^%\w+%$|^pk_/i;
/** `config.apiKey2`, `process.env.TOKEN_1`, `/run/secrets/token_1`: where the value is, not the value. */
const REFERENCE = /^[A-Za-z_$][\w$]{0,23}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,23})+$|^[.~]{0,2}\/[\w.-]+\//;

/** Whether a value looks chosen by a machine: long, mixed, and evenly spread. Words and code do not. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || PLACEHOLDER.test(value) || REFERENCE.test(value)) return false;
  // 4 of 1,000 random values of 16 hex digits lie under 2.6 bits, and `abc123abc123abc123` does.
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.6;
}

/** Whether a value can be a password. A word of a sentence ("Password: required") has no digit and no sign. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || REFERENCE.test(value)) return false;
  return /[\d!@#$%^*+=?~]/.test(value) && entropy(value) >= 1.5;
}
