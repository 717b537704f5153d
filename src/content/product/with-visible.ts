import type { Price } from '../page-content.ts';
import { type Draft, type DraftVariant, isSameTitle } from './draft.ts';
import type { VisibleProduct } from './visible/read-visible-product.ts';

/** A price with at least this many points is where a page shows the price of its product. */
const SURE_PRICE = 7;

/**
 * Adds what visitors see to the structured data of a product. It fills gaps, and replaces values that visitors do not
 * see: shops let prices and stock in the data go stale, because no customer sees them and complains.
 */
export function withVisible(draft: Draft, visible: VisibleProduct): Draft {
  if (!isSameTitle(draft.title, visible.draft.title) && !sharesWords(draft.title, visible.draft.title)) return draft;
  const { brand, category } = visible.draft;
  const [only] = draft.variants;
  const isSingle = draft.variants.length === 1 && only !== undefined;
  return {
    ...draft,
    brand: draft.brand ?? brand,
    category: draft.category ?? category,
    variants: isSingle ? [corrected(only, visible)] : draft.variants,
  };
}

/**
 * Whether at least half the words of the shorter title are in the longer one. Shops often add brand, colour and size to
 * only one of them.
 */
function sharesWords(one = '', other = ''): boolean {
  const [short = [], long = []] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length);
  const common = short.filter((word) => long.includes(word)).length;
  return common > 0 && 2 * common >= short.length;
}

function wordsOf(title: string): string[] {
  return title.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

function corrected(variant: DraftVariant, visible: VisibleProduct): DraftVariant {
  const [seen] = visible.draft.variants;
  const price = priceOf(variant, visible);
  return {
    ...variant,
    sku: numberOf(variant, visible),
    price,
    sale: saleOf(variant, price, visible),
    availability: availabilityOf(variant, visible),
    images: variant.images ?? seen?.images,
  };
}

function priceOf({ price }: DraftVariant, { price: seen, amounts }: VisibleProduct): Price | undefined {
  if (seen === undefined) return price;
  if (price === undefined) return seen.price;
  if (price.amount === seen.price.amount) return { ...seen.price, ...price };
  if (seen.score < SURE_PRICE || !isSameCurrency(price, seen.price)) return price;
  // The price in the data is the one before a reduction, or is not on the page at all.
  const isFormer = seen.sale?.originalPrice.amount === price.amount;
  return isFormer || !amounts.has(price.amount) ? seen.price : price;
}

function isSameCurrency(one: Price, other: Price): boolean {
  return one.currency === undefined || other.currency === undefined || one.currency === other.currency;
}

/** A reduction is only kept together with its price. */
function saleOf(
  { sale }: DraftVariant,
  price: Price | undefined,
  { price: seen }: VisibleProduct,
): DraftVariant['sale'] {
  if (seen === undefined || price?.amount !== seen.price.amount) return sale;
  return sale ?? seen.sale;
}

/**
 * A labelled number on the page outweighs a number in the data that is not on the page. The latter is often a database
 * id.
 */
function numberOf({ sku, mpn }: DraftVariant, { number, mentions }: VisibleProduct): string | undefined {
  if (sku === undefined) return number?.isOwn ? number.value : (mpn ?? number?.value);
  return number?.isOwn && !mentions(sku) ? number.value : sku;
}

/** An explicit statement about stock on the page outweighs the data. */
function availabilityOf({ availability }: DraftVariant, { stock }: VisibleProduct): DraftVariant['availability'] {
  if (availability === undefined || stock === undefined) return availability ?? stock?.availability;
  return stock.isStated && stock.availability.inStock !== availability.inStock ? stock.availability : availability;
}
