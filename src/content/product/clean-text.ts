import { decodeHTML } from 'entities';
import { truncate } from '../truncate.ts';
import { collapse } from '../walk.ts';

const CONTROLS = /\p{Cc}+/gu;
const TAG = /<[/!]?[a-z][^<>]*>/gi;

/**
 * Text without markup, at most `limit` characters. Pages put HTML into machine-readable data, often escaped, or escaped
 * twice: `L&amp;#8217;atelier`. Undefined when nothing is left.
 */
export function cleanText(text: string | undefined, limit: number): string | undefined {
  // Four times the limit, so that markup does not use up the limit for text. More would be wasted work.
  let clean = text?.slice(0, 4 * limit) ?? '';
  for (let round = 0; round < 2; round++) clean = decodeHTML(clean.replace(TAG, ' '));
  return truncate(collapse(clean.toWellFormed().replace(CONTROLS, ' ')), limit) || undefined;
}

/** A string or number of data from a page as text, else undefined. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).toWellFormed().replace(CONTROLS, ' ').trim() || undefined;
}
