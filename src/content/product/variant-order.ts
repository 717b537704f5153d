import { lettersOf } from '../letters.ts';
import type { DraftVariant } from './draft.ts';
import { plainAddress } from './evidence.ts';
import type { VisibleProduct } from './visible/read-visible-product.ts';

/** Longer words of an address name no variant. */
const MAX_WORDS = 100;

/**
 * The variants with the one in front that the page shows: the one that its address names (`?variant=7`, `/p/7?sku=A1`,
 * `#color=red`), else the one whose number or price alone is seen, else the first in stock where the first is not, as
 * shops select it.
 */
export function shownVariantFirst(
  variants: readonly DraftVariant[],
  url: string,
  { number, price }: VisibleProduct,
): DraftVariant[] {
  if (variants.length < 2) return [...variants];
  const shown =
    variantInAddress(variants, url) ??
    onlyOne(variants, ({ sku }) => number !== undefined && lettersOf(sku) === lettersOf(number.value)) ??
    onlyOne(variants, (variant) => price !== undefined && variant.price?.amount === price.price.amount) ??
    firstInStock(variants);
  return shown === undefined ? [...variants] : [shown, ...variants.filter((variant) => variant !== shown)];
}

/** The variant that an address names; none where it names none, or several. */
export function variantInAddress(variants: readonly DraftVariant[], url: string): DraftVariant | undefined {
  const { search, hash, pathname } = new URL(url);
  const own = plainAddress(url);
  const words = wordsOf(`${search}${hash}`);
  const path = wordsOf(pathname.slice(pathname.lastIndexOf('/') + 1));
  const is = (name: string | undefined, all: ReadonlySet<string>) => name !== undefined && all.has(lettersOf(name));
  return (
    (search === ''
      ? undefined
      : onlyOne(variants, ({ address }) => address !== undefined && plainAddress(address) === own)) ??
    onlyOne(variants, ({ address }) => address !== undefined && shares(address, words)) ??
    onlyOne(variants, ({ id, sku }) => is(id, words) || is(sku, words)) ??
    onlyOne(variants, ({ sku }) => is(sku, path)) ??
    mostValues(variants, words)
  );
}

/** Whether what tells the address of a variant apart (`?variant=7`) is in the address of the page too. */
function shares(address: string, words: ReadonlySet<string>): boolean {
  const variant = URL.parse(address)?.searchParams.get('variant');
  return variant != null && words.has(lettersOf(variant));
}

/** The variant of which most values stand in the address; none when that is none, or several. */
function mostValues(variants: readonly DraftVariant[], words: ReadonlySet<string>): DraftVariant | undefined {
  if (words.size === 0) return undefined;
  const counts = variants.map(
    ({ values }) => Object.values(values ?? {}).filter((value) => words.has(lettersOf(value))).length,
  );
  const most = Math.max(...counts);
  return most > 0 ? onlyOne(variants, (_, index) => counts[index] === most) : undefined;
}

/** The parts of an address between its marks, as `lettersOf` writes them, and each two that a hyphen joins. */
function wordsOf(text: string): Set<string> {
  const parts = decoded(text).split(/[?&=#/;:]+/, MAX_WORDS);
  const words = parts.flatMap((part) => [part, ...part.split(/[-_+ .]+/, MAX_WORDS)]);
  const names = new Set(words.map(lettersOf));
  names.delete('');
  return names;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function firstInStock(variants: readonly DraftVariant[]): DraftVariant | undefined {
  return variants[0]?.availability?.inStock === false
    ? variants.find(({ availability }) => availability?.inStock === true)
    : undefined;
}

function onlyOne<Item>(items: readonly Item[], test: (item: Item, index: number) => boolean): Item | undefined {
  const fitting = items.filter(test);
  return fitting.length === 1 ? fitting[0] : undefined;
}
