const UNEVEN_SPACE = /[\t\n\v\f\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]| {2}/;
const SPACE_RUNS = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
/** Controls, soft hyphens, zero-width spaces, byte order marks. Joiners stay: scripts and emoji need them. */
const INVISIBLE = /[\p{Cc}\u00ad\u200b\u2060\ufeff]/u;
const ALL_INVISIBLE = /[\p{Cc}\u00ad\u200b\u2060\ufeff]/gu;

/** Runs of white space of any kind as one plain space; what is invisible goes. */
export function collapseSpace(text: string): string {
  const even = UNEVEN_SPACE.test(text) ? text.replace(SPACE_RUNS, ' ') : text;
  return INVISIBLE.test(even) ? even.replace(ALL_INVISIBLE, '').replace(/ {2,}/g, ' ') : even;
}
