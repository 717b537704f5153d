import type { Product } from '../../src/content/page-content.ts';
import { shownAmounts, shownText } from './shown.ts';

export const FIELDS = ['price', 'SKU', 'availability'] as const;
export type Field = (typeof FIELDS)[number];

/** What became of one field of one page. */
export interface Outcome {
  field: Field;
  /** The value can be seen on the page. */
  isShown: boolean;
  expected: string;
  found: string | undefined;
  isRight: boolean;
}

/** Words that say whether something can be bought. */
const STOCK_WORDS =
  /stock|sold out|available|availability|add to (?:cart|bag|basket)|buy|order|warenkorb|lieferbar|panier|disponible|carrito|carrello|winkel|korg|kurv|koszyk|košík|корзин|カート/i;

/**
 * Compares what was read of the visible page with what its data says. Of a product with variants any of them may be the
 * one that is shown.
 */
export function compareProducts(expected: Product, found: Product | undefined, html: string): Outcome[] {
  const text = shownText(html);
  const [variant] = found?.variants ?? [];
  const outcomes: Outcome[] = [];

  // A price of nothing stands for one that the shop does not tell machines.
  const prices = new Set(expected.variants.flatMap(({ price }) => (price && price.amount > 0 ? [price.amount] : [])));
  if (prices.size > 0) {
    const amounts = shownAmounts(text);
    outcomes.push({
      field: 'price',
      isShown: [...prices].some((price) => amounts.has(price)),
      expected: [...prices].slice(0, 3).join(' '),
      found: variant?.price && String(variant.price.amount),
      isRight: variant?.price !== undefined && prices.has(variant.price.amount),
    });
  }

  const numbers = expected.variants.flatMap(({ sku }) => (sku ? [plain(sku)] : []));
  if (numbers.length > 0) {
    const words = wordsOf(text);
    outcomes.push({
      field: 'SKU',
      isShown: expected.variants.some(({ sku }) => sku !== undefined && words.includes(wordsOf(sku))),
      expected: numbers.slice(0, 3).join(' '),
      found: variant?.sku,
      isRight: variant?.sku !== undefined && numbers.includes(plain(variant.sku)),
    });
  }

  const stock = new Set(
    expected.variants
      .filter(({ availability: { text } }) => text !== undefined && text !== 'Unknown')
      .map(({ availability }) => availability.inStock),
  );
  if (stock.size > 0) {
    outcomes.push({
      field: 'availability',
      isShown: STOCK_WORDS.test(text),
      expected: [...stock].join(' '),
      found: variant && String(variant.availability.inStock),
      isRight: variant !== undefined && stock.has(variant.availability.inStock),
    });
  }
  return outcomes;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Between spaces, so that one text is found in another by whole words only. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[\s\u200b:;,|()#"•]+/)
    .filter(Boolean)
    .join(' ')} `;
}
