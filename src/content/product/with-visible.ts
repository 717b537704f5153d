import type { Price } from '../page-content.ts';
import { type Draft, type DraftVariant, isSameTitle } from './draft.ts';
import type { VisibleProduct } from './visible/read-visible-product.ts';

/** A price that was found with so many points stands where the price of a product stands. */
const SURE_PRICE = 7;

/**
 * What the data of a page says of its product, with what visitors see where the data is silent, or says what they do not
 * see: shops forget prices and stock in data that no customer complains about.
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

/** Whether half of the words of the shorter title are in the other: shops put brand, colour and size into one of them. */
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
  // The data has the price before a reduction, or one that nobody can see.
  const isFormer = seen.sale?.originalPrice.amount === price.amount;
  return isFormer || !amounts.has(price.amount) ? seen.price : price;
}

function isSameCurrency(one: Price, other: Price): boolean {
  return one.currency === undefined || other.currency === undefined || one.currency === other.currency;
}

/** A reduction belongs to its price. */
function saleOf(
  { sale }: DraftVariant,
  price: Price | undefined,
  { price: seen }: VisibleProduct,
): DraftVariant['sale'] {
  if (seen === undefined || price?.amount !== seen.price.amount) return sale;
  return sale ?? seen.sale;
}

/** A number that is labelled on the page outweighs one that is nowhere on it, which is often that of a record. */
function numberOf({ sku, mpn }: DraftVariant, { number, mentions }: VisibleProduct): string | undefined {
  if (sku === undefined) return number?.isOwn ? number.value : (mpn ?? number?.value);
  return number?.isOwn && !mentions(sku) ? number.value : sku;
}

/** What the page says of stock in so many words outweighs what its data says. */
function availabilityOf({ availability }: DraftVariant, { stock }: VisibleProduct): DraftVariant['availability'] {
  if (availability === undefined || stock === undefined) return availability ?? stock?.availability;
  return stock.isStated && stock.availability.inStock !== availability.inStock ? stock.availability : availability;
}
