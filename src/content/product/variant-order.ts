import { lettersOf } from '../letters.ts';
import type { DraftVariant } from './draft.ts';
import { plainAddress } from './evidence.ts';
import type { VisibleProduct } from './visible/read-visible-product.ts';

/** How many parts of an address are read, and how many words of each part. */
const MAX_WORDS = 100;

/**
 * Puts the variant that the page shows first. That is the one that the address names (`?variant=7`, `/p/7?sku=A1`,
 * `#color=red`), else the only one whose number or price is visible, else the first one in stock, which is the one that
 * shops select.
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

/** The variant that an address names. Undefined if it names none or several. */
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

/** Whether the page's address has the same `variant` parameter (`?variant=7`) as the address of a variant. */
function shares(address: string, words: ReadonlySet<string>): boolean {
  const variant = URL.parse(address)?.searchParams.get('variant');
  return variant != null && words.has(lettersOf(variant));
}

/** The variant with the most values in the address. Undefined if there is none or a tie. */
function mostValues(variants: readonly DraftVariant[], words: ReadonlySet<string>): DraftVariant | undefined {
  if (words.size === 0) return undefined;
  const counts = variants.map(
    ({ values }) => Object.values(values ?? {}).filter((value) => words.has(lettersOf(value))).length,
  );
  const most = Math.max(...counts);
  return most > 0 ? onlyOne(variants, (_, index) => counts[index] === most) : undefined;
}

/** The words of an address, as `lettersOf` writes them: its parts between punctuation, whole and split at hyphens. */
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
