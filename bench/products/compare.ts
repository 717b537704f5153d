import type { Product } from '../../src/content/page-content.ts';
import { shownAmounts, shownText, wordsOf } from './shown.ts';

export const FIELDS = ['price', 'SKU', 'availability'] as const;
export type Field = (typeof FIELDS)[number];

/** The result for one field on a page whose data has it. */
export interface Outcome {
  field: Field;
  /** Whether the page shows the value. Only then can a reader of the visible page be expected to find it. */
  isShown: boolean;
  expected: string[];
  found: string | undefined;
  isRight: boolean;
}

/** A page without any of these words says nothing about stock and has no buy button, so its stock is not compared. */
const STOCK_WORDS =
  /(?:in|out of|low) stock|sold out|(?:un|not )available|no longer available|add to (?:cart|bag|basket)|buy (?:it )?now|pre-?order|notify me|\bended\b|warenkorb|lieferbar|panier|carrito|carrello|winkelwagen|varukorg|kurv|koszyka|košíku|в корзину|カート/i;
/** Not compared: on the page, a product that can be ordered in advance looks like one that is in stock. */
const NO_STOCK = new Set(['Unknown', 'PreOrder', 'PreSale', 'BackOrder', 'MadeToOrder']);

/**
 * Compares what was read from the visible page with the structured data. If the product has variants, any of them may
 * be the one shown.
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

/** Ignores prices of zero: shops use them in data when they keep the price from machines. */
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
