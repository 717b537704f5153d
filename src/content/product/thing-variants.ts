import { resolveAddress } from '../address.ts';
import type { ProductVariant } from '../page-content.ts';
import { isThing, type Thing, textOfProperty, thingsOf, valuesOf, withoutVocabulary } from '../structured/thing.ts';
import { cleanText } from './clean-text.ts';
import { type DraftVariant, MAX_IMAGES, MAX_TITLE, MAX_VARIANTS } from './draft.ts';
import { bestOffer, offersOf, readOffer } from './offer.ts';

/** Properties that distinguish variants (schema.org, `ProductGroup`), besides those in `variesBy`. */
const VARIANT_PROPERTIES = ['color', 'size', 'material', 'pattern'];
const MAX_FURTHER_PROPERTIES = 20;

type Entry = readonly [name: string | undefined, value: string | undefined];

interface Context {
  /** Of the product: a variant of the same name has no title of its own. */
  title: string | undefined;
  baseUrl: string;
  /** Names of the properties that become `values`. */
  varying: readonly string[];
}

/** The variants of a product: those it lists (`hasVariant`), else one for each offered item, at least one. */
export function readVariants(product: Thing, title: string | undefined, baseUrl: string): DraftVariant[] {
  const context: Context = { title, baseUrl, varying: [...VARIANT_PROPERTIES, ...variesBy(product)] };
  const images = imagesOf(product, baseUrl);
  // A variant that is only an address carries no information.
  const listed = thingsOf(product, 'hasVariant').filter((variant) => variant.properties.size > 1);
  const variants = listed.length > 0 ? listedVariants(listed, context) : offeredVariants(product, context);
  return variants.map((variant) => ({ ...variant, images: variant.images ?? images }));
}

function variesBy(product: Thing): string[] {
  const names = valuesOf(product, 'variesBy')
    .filter((name) => typeof name === 'string')
    .map(withoutVocabulary);
  return names.filter((name) => !VARIANT_PROPERTIES.includes(name)).slice(0, MAX_FURTHER_PROPERTIES);
}

function listedVariants(variants: readonly Thing[], context: Context): DraftVariant[] {
  return variants.slice(0, MAX_VARIANTS).map((variant) => ({
    ...describedVariant([variant], offersOf(variant), additionalProperties(variant), context),
    images: imagesOf(variant, context.baseUrl),
    address: addressOf([variant, ...offersOf(variant)], context.baseUrl),
  }));
}

function offeredVariants(product: Thing, context: Context): DraftVariant[] {
  const groups = distinctOffers(product).slice(0, MAX_VARIANTS);
  return groups.map((offers) => {
    const offered = offers.slice(0, 1).flatMap((offer) => [...thingsOf(offer, 'itemOffered').slice(0, 1), offer]);
    // The number and colour of the product apply to the variant only if there is just one.
    const described = groups.length > 1 ? offered : [...offered, product];
    const images = offered.map((each) => imagesOf(each, context.baseUrl)).find((each) => each !== undefined);
    const address = addressOf([...offered, ...offers], context.baseUrl);
    return { ...describedVariant(described, offers, [], context), images, address };
  });
}

/** The address of the first thing that has one, made absolute. */
function addressOf(things: readonly Thing[], baseUrl: string): string | undefined {
  const address = firstText(things, 'url');
  return address === undefined ? undefined : resolveAddress(address, baseUrl);
}

/** @param described the things that describe the variant, the closest first */
function describedVariant(
  described: readonly Thing[],
  offers: readonly Thing[],
  further: readonly Entry[],
  { title, varying }: Context,
): DraftVariant {
  const text = (name: string) => cleanText(firstText(described, name), MAX_TITLE);
  const name = text('name');
  const entries = [...varying.map((property): Entry => [property, text(property)]), ...further];
  const values = entries.filter(
    (entry): entry is readonly [string, string] => entry[0] !== undefined && entry[1] !== undefined,
  );
  return {
    id: text('productID'),
    sku: text('sku'),
    mpn: text('mpn'),
    title: name === title ? undefined : name,
    values: values.length > 0 ? Object.fromEntries(values) : undefined,
    ...bestOffer(offers.map(readOffer)),
  };
}

function additionalProperties(variant: Thing): Entry[] {
  const properties = thingsOf(variant, 'additionalProperty').slice(0, MAX_FURTHER_PROPERTIES);
  return properties.map((property) => [
    cleanText(textOfProperty(property, 'name', 'propertyID'), MAX_TITLE),
    cleanText(textOfProperty(property, 'value'), MAX_TITLE),
  ]);
}

/** Offers of one thing by several sellers, or on several terms, belong together; an empty group when nothing is offered. */
function distinctOffers(product: Thing): Thing[][] {
  const offers = offersOf(product);
  const sellers = new Set(offers.map((offer) => textOfProperty(offer, 'seller', 'offeredBy')));
  const groups = Map.groupBy(offers, (offer) => identityOf(offer, sellers.size > 1));
  return groups.size > 0 ? [...groups.values()] : [[]];
}

function identityOf(offer: Thing, isMarketplace: boolean): string {
  const things = [offer, ...thingsOf(offer, 'itemOffered').slice(0, 1)];
  const distinguishing = ['name', ...VARIANT_PROPERTIES, ...(isMarketplace ? [] : ['url'])];
  return (
    firstText(things, 'sku') ??
    firstText(things, 'gtin') ??
    JSON.stringify(distinguishing.map((name) => firstText(things, name)))
  );
}

function firstText(things: readonly Thing[], name: string): string | undefined {
  return things.map((thing) => textOfProperty(thing, name)).find((text) => text !== undefined);
}

export function imagesOf(thing: Thing, baseUrl: string): ProductVariant['images'] {
  const images = new Map<string, { url: string; alt?: string }>();
  for (const value of valuesOf(thing, 'image').slice(0, MAX_IMAGES)) {
    const source = isThing(value)
      ? (textOfProperty(value, 'contentUrl', 'url', 'contentURL') ?? value.id)
      : String(value);
    const url = source === undefined ? undefined : resolveAddress(source, baseUrl);
    const alt = isThing(value) ? cleanText(textOfProperty(value, 'caption', 'name'), MAX_TITLE) : undefined;
    if (url) images.set(url, alt === undefined ? { url } : { url, alt });
  }
  return images.size > 0 ? [...images.values()] : undefined;
}
