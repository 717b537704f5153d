import type { Product, ProductVariant } from '../page-content.ts';
import { type Draft, type DraftVariant, isSameTitle } from './draft.ts';

/** Fills in what `draft` omits from a source of lower priority that describes the same product. */
export function fillGaps(draft: Draft, other: Draft): Draft {
  if (!isSameTitle(draft.title, other.title)) return draft;
  return {
    title: draft.title,
    brand: draft.brand ?? other.brand,
    category: draft.category ?? other.category,
    url: draft.url ?? other.url,
    description: draft.description ?? other.description,
    variants: fillVariants(draft.variants, other.variants),
  };
}

/** Variants of two sources can be matched only if each has exactly one. */
function fillVariants(variants: readonly DraftVariant[], others: readonly DraftVariant[]): DraftVariant[] {
  const isPriced = variants.some(({ price }) => price !== undefined);
  const [variant] = variants;
  const [other] = others;
  if (!variant || (!isPriced && others.length > 1 && others.some(({ price }) => price !== undefined)))
    return [...others];
  if (!other || variants.length > 1 || others.length > 1) return [...variants];
  return [fillVariant(variant, other)];
}

function fillVariant(variant: DraftVariant, other: DraftVariant): DraftVariant {
  // A discount belongs to its price.
  const isSamePrice = variant.price === undefined || variant.price.amount === other.price?.amount;
  return {
    id: variant.id ?? other.id,
    sku: variant.sku ?? other.sku,
    title: variant.title ?? other.title,
    values: variant.values ?? other.values,
    price: variant.price ?? other.price,
    sale: variant.sale ?? (isSamePrice ? other.sale : undefined),
    availability: variant.availability ?? other.availability,
    images: variant.images ?? other.images,
    address: variant.address ?? other.address,
    mpn: variant.mpn ?? other.mpn,
  };
}

/** The draft in the shape of the contract, without unknown fields. */
export function finished(
  { brand, category, url, description, variants }: Draft,
  title: string,
  pageUrl: string,
): Product {
  return {
    title,
    ...known({ brand, category }),
    url: url ?? pageUrl,
    ...known({ description }),
    variants: variants.map(finishedVariant),
  };
}

/**
 * The contract requires a stock state. An item with a price and no stock information can be bought. If both are
 * missing, nothing is known, so it is not promised.
 */
function finishedVariant({
  id,
  sku,
  mpn,
  title,
  values,
  price,
  sale,
  availability,
  images,
}: DraftVariant): ProductVariant {
  const unstated = price === undefined ? { inStock: false, text: 'Unknown' } : { inStock: true };
  return {
    ...known({ id, sku: sku ?? mpn, title, values, price, sale, images }),
    availability: availability ?? unstated,
  };
}

type Known<Fields> = { [Key in keyof Fields]?: NonNullable<Fields[Key]> };

function known<Fields extends object>(fields: Fields): Known<Fields> {
  const result: Known<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) result[key] = value;
  }
  return result;
}
