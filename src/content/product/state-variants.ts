import { resolveAddress } from '../address.ts';
import type { ProductVariant } from '../page-content.ts';
import { isRecord } from '../structured/json.ts';
import { readAvailability } from './availability.ts';
import { cleanText, scalarText } from './clean-text.ts';
import { type DraftVariant, MAX_IMAGES, MAX_TITLE, MAX_VARIANTS, saleOf } from './draft.ts';
import { readMoney } from './money.ts';

export type Fields = Record<string, unknown>;

const STOCK = [
  'availableForSale',
  'inStock',
  'isInStock',
  'available',
  'availability',
  'availabilityStatus',
  'stockStatus',
];
const PRICES = ['price', 'currentPrice', 'salePrice', 'priceInfo', 'prices'];
const FORMER_PRICES = ['compareAtPrice', 'originalPrice', 'listPrice', 'wasPrice', 'regularPrice'];

/** The variants in an object of an application's state: its list of them, else the object itself. */
export function readStateVariants(product: Fields, baseUrl: string): DraftVariant[] {
  const listed = nodesOf(product.variants).filter(
    (variant) => readVariant(variant, product, baseUrl).price !== undefined,
  );
  const variants = listed.length > 0 ? listed.slice(0, MAX_VARIANTS) : [product];
  const images = imagesOf(product, baseUrl);
  return variants.map((variant) => {
    const read = readVariant(variant, product, baseUrl);
    return { ...read, title: variant === product ? undefined : read.title, images: read.images ?? images };
  });
}

function readVariant(variant: Fields, product: Fields, baseUrl: string): DraftVariant {
  const currency =
    scalarText(field(variant, ['currency', 'currencyCode'])) ??
    scalarText(field(product, ['currency', 'currencyCode']));
  const price = readMoney(field(variant, PRICES), currency);
  return {
    id: scalarText(variant.id),
    sku: scalarText(variant.sku),
    title: cleanText(scalarText(field(variant, ['title', 'name'])), MAX_TITLE),
    values: optionsOf(variant.selectedOptions),
    price,
    sale: saleOf(price, readMoney(field(variant, FORMER_PRICES), currency)),
    availability: stockOf(field(variant, STOCK)),
    images: imagesOf(variant, baseUrl),
  };
}

/** Lists as arrays, or as GraphQL connections (`nodes`, `edges[].node`). */
export function nodesOf(list: unknown): Fields[] {
  if (Array.isArray(list))
    return list.map((each: unknown) => (isRecord(each) && isRecord(each.node) ? each.node : each)).filter(isRecord);
  const nodes = isRecord(list) ? (list.nodes ?? list.edges) : undefined;
  return Array.isArray(nodes) ? nodesOf(nodes) : [];
}

function optionsOf(options: unknown): Record<string, string> | undefined {
  const entries = nodesOf(options).flatMap(({ name, value }) =>
    typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

export function stockOf(value: unknown): ProductVariant['availability'] | undefined {
  if (typeof value === 'boolean') return { inStock: value, text: value ? 'InStock' : 'OutOfStock' };
  return readAvailability(scalarText(value));
}

export function imagesOf(fields: Fields, baseUrl: string): ProductVariant['images'] {
  const sources = [fields.image, ...nodesOf(fields.images)];
  const images = sources.flatMap((source) => {
    const address = scalarText(isRecord(source) ? field(source, ['url', 'src']) : source);
    const url = address === undefined ? undefined : resolveAddress(address, baseUrl);
    const alt = isRecord(source) ? cleanText(scalarText(field(source, ['altText', 'alt'])), MAX_TITLE) : undefined;
    return url === undefined ? [] : [alt === undefined ? { url } : { url, alt }];
  });
  return images.length > 0 ? images.slice(0, MAX_IMAGES) : undefined;
}

/** The first of these fields that is present. */
export function field(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) return fields[name];
  return undefined;
}
