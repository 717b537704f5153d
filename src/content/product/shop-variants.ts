import { resolveAddress } from '../address.ts';
import type { Price, ProductVariant } from '../page-content.ts';
import { isRecord } from '../structured/json.ts';
import type { ShopState } from '../structured/shop-state.ts';
import { cleanText, scalarText } from './clean-text.ts';
import { type Draft, type DraftVariant, MAX_TITLE, MAX_VARIANTS, saleOf } from './draft.ts';
import { readPrice } from './price.ts';
import { variantInAddress } from './variant-order.ts';

type Fields = Record<string, unknown>;

/**
 * Adds the variants that the shop system has, if the page's data lists none. One of them must have the price that the
 * data states, which rules out prices in another currency or without tax. One must also have the product number in the
 * data, unless the address names a variant, because the number on some pages is that of all variants together.
 */
export function withShopVariants(draft: Draft, state: ShopState | undefined, url: string, baseUrl: string): Draft {
  const [only] = draft.variants;
  if (state === undefined || state.variants.length < 2 || draft.variants.length !== 1 || only === undefined)
    return draft;
  const currency = only.price?.currency ?? state.currency;
  const variants = state.variants.slice(0, MAX_VARIANTS).map((variant) => {
    return state.system === 'Shopify'
      ? shopifyVariant(variant, state.options, currency, baseUrl)
      : wooVariant(variant, currency, baseUrl);
  });
  const hasPrice = only.price === undefined || variants.some((variant) => isPriced(variant, only));
  const hasNumber = only.sku === undefined || variants.some(({ sku, id }) => sku === only.sku || id === only.sku);
  if (!hasPrice || !(hasNumber || variantInAddress(variants, url))) return draft;
  return { ...draft, variants: variants.map((variant) => filled(variant, only)) };
}

function isPriced({ price }: DraftVariant, only: DraftVariant): boolean {
  return price !== undefined && price.amount === only.price?.amount;
}

/** Fills in what is known about the product as a whole. */
function filled(variant: DraftVariant, only: DraftVariant): DraftVariant {
  const { price, sale } = isPriced(variant, only) ? only : variant;
  return {
    ...variant,
    price,
    sale: variant.sale ?? sale,
    availability: variant.availability ?? only.availability,
    images: variant.images ?? only.images,
  };
}

/** Shopify writes prices in hundredths, whatever the currency. */
function shopifyVariant(
  variant: Fields,
  options: readonly string[],
  currency: string | undefined,
  baseUrl: string,
): DraftVariant {
  const hundredths = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) ? readPrice(value / 100, currency) : undefined;
  const price = hundredths(variant.price);
  const entries = options.map((name, index) => [name, scalarText(variant[`option${index + 1}`])] as const);
  const image = isRecord(variant.featured_image) ? variant.featured_image.src : undefined;
  return {
    id: scalarText(variant.id),
    sku: scalarText(variant.sku),
    title: cleanText(scalarText(variant.public_title), MAX_TITLE),
    values: valuesOf(entries),
    price,
    sale: saleOf(price, hundredths(variant.compare_at_price)),
    availability: stockOf(variant.available),
    images: imageOf(image, baseUrl),
  };
}

function wooVariant(variation: Fields, currency: string | undefined, baseUrl: string): DraftVariant {
  const price = numberPrice(variation.display_price, currency);
  const attributes = isRecord(variation.attributes) ? Object.entries(variation.attributes) : [];
  return {
    id: scalarText(variation.variation_id),
    sku: scalarText(variation.sku),
    values: valuesOf(attributes.map(([name, value]) => [name.replace(/^attribute_(?:pa_)?/, ''), scalarText(value)])),
    price,
    sale: saleOf(price, numberPrice(variation.display_regular_price, currency)),
    availability: stockOf(variation.is_in_stock),
    images: imageOf(isRecord(variation.image) ? variation.image.url : undefined, baseUrl),
  };
}

function numberPrice(value: unknown, currency: string | undefined): Price | undefined {
  return typeof value === 'number' ? readPrice(value, currency) : undefined;
}

function valuesOf(entries: readonly (readonly [string, string | undefined])[]): Record<string, string> | undefined {
  const known = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function stockOf(value: unknown): ProductVariant['availability'] | undefined {
  return typeof value === 'boolean' ? { inStock: value, text: value ? 'InStock' : 'OutOfStock' } : undefined;
}

function imageOf(source: unknown, baseUrl: string): ProductVariant['images'] {
  const url = typeof source === 'string' ? resolveAddress(source, baseUrl) : undefined;
  return url === undefined ? undefined : [{ url }];
}
