import { isWordCharacter } from './escape.ts';
import type { Mark } from './mark.ts';

/**
 * Whether markers between two characters need a space to be read as markers (CommonMark, "left-flanking and
 * right-flanking delimiter runs"): `**Note:**text` is not bold, `**Note:** text` is.
 */
export function needsGap(before: string, closing: readonly Mark[], opening: readonly Mark[], first: string): boolean {
  const lastClosed = closing.at(-1)?.kind;
  const firstOpened = opening[0]?.kind;
  if (lastClosed === 'link' && firstOpened === 'link') return true;
  // Two adjacent code spans or formulas would merge.
  if (before === first && (first === '`' || first === '$') && closing.length + opening.length === 0) return true;
  if (lastClosed !== 'emphasis' && firstOpened !== 'emphasis') return false;
  // Four asterisks in a row cannot be told apart.
  if (starsOf(closing, 'close') + starsOf(opening, 'open') > 3 && lastClosed === firstOpened) return true;
  const left = isWordCharacter(besideRun(closing.toReversed(), 'close')?.slice(-1) ?? before);
  const right = isWordCharacter(besideRun(opening, 'open')?.charAt(0) ?? first);
  if (lastClosed === 'emphasis' && firstOpened === 'emphasis') return left !== right;
  return lastClosed === 'emphasis' ? !left && right : left && !right;
}

/** The marker just inside the outermost run of equal characters. @param marks from the outermost to the innermost */
function besideRun(marks: readonly Mark[], end: 'open' | 'close'): string | undefined {
  const run = marks[0]?.[end].charAt(0);
  return marks.find((mark) => mark[end].charAt(0) !== run)?.[end];
}

function starsOf(marks: readonly Mark[], end: 'open' | 'close'): number {
  return marks.reduce((count, mark) => count + mark[end].split('*').length - 1, 0);
}

/**
 * Whether two adjacent elements without a space hold two words that the page sets apart by style alone. A capital after a
 * small letter or a digit is the sign (`Reply|Delete`, `ACME|Boots`, `$5|$7`); `coopera|tive` stays one word.
 */
export function isNewWord(before: string, content: string): boolean {
  if (/^\p{Sc}/u.test(content)) return /[\p{L}\p{N}]/u.test(before);
  if (!/^\p{Lu}/u.test(content)) return false;
  return /[\p{Ll}\p{N}]/u.test(before) || (/\p{Lu}/u.test(before) && /^\p{Lu}\p{Ll}/u.test(content));
}
