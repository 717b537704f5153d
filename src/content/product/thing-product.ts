import { resolveAddress } from '../address.ts';
import { type Thing, textOfProperty, valuesOf } from '../structured/thing.ts';
import { cleanText } from './clean-text.ts';
import { type Draft, MAX_DESCRIPTION, MAX_TITLE } from './draft.ts';
import { readVariants } from './thing-variants.ts';

/** A `Product` or `ProductGroup` of schema.org, in any syntax. */
export function readProductThing(product: Thing, baseUrl: string): Draft {
  const title = titleOf(product);
  return {
    title,
    brand: cleanText(textOfProperty(product, 'brand', 'manufacturer'), MAX_TITLE),
    category: categoryOf(product),
    url: addressOf(product, baseUrl),
    description: cleanText(textOfProperty(product, 'description'), MAX_DESCRIPTION),
    variants: readVariants(product, title, baseUrl),
  };
}

export function titleOf(thing: Thing): string | undefined {
  return cleanText(textOfProperty(thing, 'name'), MAX_TITLE);
}

/** The absolute address of the thing's own page. */
export function addressOf(thing: Thing, baseUrl: string): string | undefined {
  const url = valuesOf(thing, 'url').find((value) => typeof value === 'string');
  return url === undefined ? undefined : resolveAddress(url, baseUrl);
}

/** Numbers and addresses of a taxonomy are for machines. */
function categoryOf(product: Thing): string | undefined {
  const category = cleanText(textOfProperty(product, 'category'), MAX_TITLE);
  return category && /\p{L}/u.test(category) && !/^https?:/.test(category) ? category : undefined;
}
