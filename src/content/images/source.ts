import type { Attributes } from '../tree.ts';
import { largestCandidate } from './srcset.ts';

/** Attributes in which lazy-loading scripts keep the address while `src` holds a placeholder, the most common first. */
const LAZY_SOURCES = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-lazy',
  'data-image',
  'data-url',
  'data-hi-res-src',
];
const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset'];

/** As written: the lazy source (else `src`), and the largest candidate of the lazy `srcset` (else `srcset`). */
export function imageSources(attributes: Attributes): string[] {
  const source = firstOf(attributes, LAZY_SOURCES) ?? attributes.src ?? '';
  const srcset = firstOf(attributes, LAZY_SRCSETS) ?? attributes.srcset ?? '';
  return [source.trim(), largestCandidate(srcset) ?? ''];
}

/** An image of one pixel, which counts visits. */
export function isPixel({ width, height }: Attributes): boolean {
  return (width === '1' || width === '0') && (height === '1' || height === '0');
}

/** The first of these attributes that is present and not empty. */
export function firstOf(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value) return value;
  }
  return undefined;
}
