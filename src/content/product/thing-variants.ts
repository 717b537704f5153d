import { resolveAddress } from '../address.ts';
import type { ProductVariant } from '../page-content.ts';
import { isThing, type Thing, textOfProperty, thingsOf, valuesOf, withoutVocabulary } from '../structured/thing.ts';
import { cleanText } from './clean-text.ts';
import { type DraftVariant, MAX_IMAGES, MAX_TITLE, MAX_VARIANTS } from './draft.ts';
import { bestOffer, offersOf, readOffer } from './offer.ts';

/** What tells variants apart (schema.org, `ProductGroup`), beside what `variesBy` names. */
const VARIANT_PROPERTIES = ['color', 'size', 'material', 'pattern'];
const MAX_FURTHER_PROPERTIES = 20;

interface Context {
  /** Of the product: a variant of the same name has no title of its own. */
  title: string | undefined;
  baseUrl: string;
  /** Names of the properties that become `values`. */
  varying: readonly string[];
}

/** The variants of a product: those it lists (`hasVariant`), else one for each thing that is offered, at least one. */
export function readVariants(product: Thing, title: string | undefined, baseUrl: string): DraftVariant[] {
  const variesBy = valuesOf(product, 'variesBy')
    .filter((name) => typeof name === 'string')
    .map(withoutVocabulary);
  const context: Context = { title, baseUrl, varying: [...new Set([...VARIANT_PROPERTIES, ...variesBy])] };
  const images = imagesOf(product, baseUrl);
  // One that is only an address says nothing here.
  const listed = thingsOf(product, 'hasVariant').filter((variant) => variant.properties.size > 1);
  const variants =
    listed.length > 0
      ? listed.slice(0, MAX_VARIANTS).map((variant) => listedVariant(variant, context))
      : distinctOffers(product)
          .slice(0, MAX_VARIANTS)
          .map((offers) => offeredVariant(product, offers, context));
  return variants.map((variant) => ({ ...variant, images: variant.images ?? images }));
}

function listedVariant(variant: Thing, context: Context): DraftVariant {
  const further = thingsOf(variant, 'additionalProperty')
    .slice(0, MAX_FURTHER_PROPERTIES)
    .map((property) => {
      return [textOfProperty(property, 'name', 'propertyID'), textOfProperty(property, 'value')] as const;
    });
  return describedVariant([variant], offersOf(variant), further, context);
}

function offeredVariant(product: Thing, offers: readonly Thing[], context: Context): DraftVariant {
  const [offer] = offers;
  const described = offer ? [...thingsOf(offer, 'itemOffered').slice(0, 1), offer, product] : [product];
  return describedVariant(described, offers, [], context);
}

/** @param described the things that describe the variant, the closest first */
function describedVariant(
  described: readonly Thing[],
  offers: readonly Thing[],
  further: readonly (readonly [string | undefined, string | undefined])[],
  { title, baseUrl, varying }: Context,
): DraftVariant {
  const text = (name: string) =>
    cleanText(
      described.map((each) => textOfProperty(each, name)).find((value) => value),
      MAX_TITLE,
    );
  const name = text('name');
  const values = [...varying.map((property) => [property, text(property)] as const), ...further];
  const stated = values.filter((value): value is [string, string] => value[0] !== undefined && value[1] !== undefined);
  return {
    id: text('productID'),
    sku: text('sku'),
    title: name === title ? undefined : name,
    values: stated.length > 0 ? Object.fromEntries(stated) : undefined,
    ...bestOffer(offers.map(readOffer)),
    images: described.map((each) => imagesOf(each, baseUrl)).find((images) => images !== undefined),
  };
}

/** Offers of one thing by several sellers, or on several terms, belong together; an empty group when nothing is offered. */
function distinctOffers(product: Thing): Thing[][] {
  const offers = offersOf(product);
  const sellers = new Set(offers.map((offer) => textOfProperty(offer, 'seller', 'offeredBy')));
  const groups = Map.groupBy(offers, (offer) => identityOf(offer, sellers.size > 1));
  return groups.size > 0 ? [...groups.values()] : [[]];
}

function identityOf(offer: Thing, isMarketplace: boolean): string {
  const things = [offer, ...thingsOf(offer, 'itemOffered')];
  const first = (name: string) => things.map((thing) => textOfProperty(thing, name)).find((value) => value);
  const distinguishing = ['name', ...VARIANT_PROPERTIES, ...(isMarketplace ? [] : ['url'])];
  return first('sku') ?? first('gtin') ?? JSON.stringify(distinguishing.map(first));
}

function imagesOf(thing: Thing, baseUrl: string): ProductVariant['images'] {
  const images = new Map<string, { url: string; alt?: string }>();
  for (const value of valuesOf(thing, 'image')) {
    const source = isThing(value)
      ? (textOfProperty(value, 'contentUrl', 'url', 'contentURL') ?? value.id)
      : String(value);
    const url = source === undefined ? undefined : resolveAddress(source, baseUrl);
    const alt = isThing(value) ? cleanText(textOfProperty(value, 'caption', 'name'), MAX_TITLE) : undefined;
    if (url && images.size < MAX_IMAGES) images.set(url, alt === undefined ? { url } : { url, alt });
  }
  return images.size > 0 ? [...images.values()] : undefined;
}
