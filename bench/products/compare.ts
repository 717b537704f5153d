import type { Product } from '../../src/content/page-content.ts';
import { shownAmounts, shownText, wordsOf } from './shown.ts';

export const FIELDS = ['price', 'SKU', 'availability'] as const;
export type Field = (typeof FIELDS)[number];

/** What became of one field of a page whose data has it. */
export interface Outcome {
  field: Field;
  /** The value stands on the page, so that a reader of the visible page can be asked for it. */
  isShown: boolean;
  expected: string[];
  found: string | undefined;
  isRight: boolean;
}

/** A page that says nothing of stock and has no button to buy cannot be asked whether there is stock. */
const STOCK_WORDS =
  /(?:in|out of|low) stock|sold out|(?:un|not )available|no longer available|add to (?:cart|bag|basket)|buy (?:it )?now|pre-?order|notify me|\bended\b|warenkorb|lieferbar|panier|carrito|carrello|winkelwagen|varukorg|kurv|koszyka|košíku|в корзину|カート/i;
/** Before it is there, what can be ordered looks like what is there. */
const NO_STOCK = new Set(['Unknown', 'PreOrder', 'PreSale', 'BackOrder', 'MadeToOrder']);

/**
 * Compares what was read of the visible page with what its data says. Of a product with variants any of them may be the
 * one that is shown.
 */
export function compareProducts(expected: Product, found: Product | undefined, html: string): Outcome[] {
  const text = shownText(html);
  const [variant] = found?.variants ?? [];
  return [
    ...comparePrices(expected, variant?.price?.amount, text),
    ...compareNumbers(expected, variant?.sku, text),
    ...compareStock(expected, variant?.availability.inStock, text),
  ];
}

/** A price of nothing stands for one that the shop does not tell machines. */
function comparePrices({ variants }: Product, found: number | undefined, text: string): Outcome[] {
  const expected = distinct(variants.flatMap(({ price }) => (price && price.amount > 0 ? [price.amount] : [])));
  const shown = shownAmounts(text);
  return outcome('price', expected, found, {
    isShown: expected.some((price) => shown.has(price)),
    isRight: found !== undefined && expected.includes(found),
  });
}

function compareNumbers({ variants }: Product, found: string | undefined, text: string): Outcome[] {
  const expected = distinct(variants.flatMap(({ sku }) => (sku ? [sku] : [])));
  const words = wordsOf(text);
  return outcome('SKU', expected, found, {
    isShown: expected.some((sku) => words.includes(wordsOf(sku))),
    isRight: found !== undefined && expected.map(plain).includes(plain(found)),
  });
}

function compareStock({ variants }: Product, found: boolean | undefined, text: string): Outcome[] {
  const stated = variants.filter(({ availability: { text: term } }) => term !== undefined && !NO_STOCK.has(term));
  const expected = distinct(stated.map(({ availability }) => availability.inStock));
  return outcome('availability', expected, found, {
    isShown: STOCK_WORDS.test(text),
    isRight: found !== undefined && expected.includes(found),
  });
}

function outcome(
  field: Field,
  expected: readonly (string | number | boolean)[],
  found: string | number | boolean | undefined,
  verdict: Pick<Outcome, 'isShown' | 'isRight'>,
): Outcome[] {
  if (expected.length === 0) return [];
  return [
    { field, expected: expected.map(String), found: found === undefined ? undefined : String(found), ...verdict },
  ];
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
