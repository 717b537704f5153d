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
  // Two code spans or formulas would be one.
  if (before === first && (first === '`' || first === '$') && closing.length + opening.length === 0) return true;
  if (lastClosed !== 'emphasis' && firstOpened !== 'emphasis') return false;
  // Four asterisks in a row belong to nobody.
  if (starsOf(closing, 'close') + starsOf(opening, 'open') > 3 && lastClosed === firstOpened) return true;
  const left = isWordCharacter(besideRun(closing.toReversed(), 'close')?.slice(-1) ?? before);
  const right = isWordCharacter(besideRun(opening, 'open')?.charAt(0) ?? first);
  if (lastClosed === 'emphasis' && firstOpened === 'emphasis') return left !== right;
  return lastClosed === 'emphasis' ? !left && right : left && !right;
}

/** The marker that stands next to the outer run of equal characters, on its inside. @param marks the outer ones first */
function besideRun(marks: readonly Mark[], end: 'open' | 'close'): string | undefined {
  const run = marks[0]?.[end].charAt(0);
  return marks.find((mark) => mark[end].charAt(0) !== run)?.[end];
}

function starsOf(marks: readonly Mark[], end: 'open' | 'close'): number {
  return marks.reduce((count, mark) => count + mark[end].split('*').length - 1, 0);
}

/**
 * Whether two elements side by side without a space hold two words: pages set them apart by style alone. A capital
 * behind a small letter or a digit says so (`Reply|Delete`, `ACME|Boots`, `$5|$7`); `coopera|tive` stays one word.
 */
export function isNewWord(before: string, content: string): boolean {
  if (/^\p{Sc}/u.test(content)) return /[\p{L}\p{N}]/u.test(before);
  if (!/^\p{Lu}/u.test(content)) return false;
  return /[\p{Ll}\p{N}]/u.test(before) || (/\p{Lu}/u.test(before) && /^\p{Lu}\p{Ll}/u.test(content));
}
