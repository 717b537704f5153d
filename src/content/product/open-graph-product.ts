import { resolveAddress } from '../address.ts';
import type { Price } from '../page-content.ts';
import { readAvailability } from './availability.ts';
import { cleanText } from './clean-text.ts';
import { type Finding, MAX_DESCRIPTION, MAX_IMAGES, MAX_TITLE, saleOf } from './draft.ts';
import { readPrice } from './price.ts';

/** `product`, `og:product`, `product.item`, `brand:product`; a `product.group` is a listing. */
const PRODUCT_TYPE = /(?:^|:)product(?:\.item)?$/;

/** The product of a page whose Open Graph tags say that it is one, by its type or by a price. */
export function readOpenGraphProduct(tags: ReadonlyMap<string, string[]>, baseUrl: string): Finding {
  const first = (...names: string[]) => names.map((name) => tags.get(name)?.[0]).find((value) => value !== undefined);
  const types = tags.get('og:type') ?? [];
  const regular = priceOf(tags, 'price');
  if (types.includes('product.group') || !(regular || types.some((type) => PRODUCT_TYPE.test(type)))) return undefined;

  const reduced = priceOf(tags, 'sale_price');
  const price = reduced ?? regular;
  const images = (tags.get('og:image') ?? tags.get('og:image:url') ?? [])
    .map((image) => resolveAddress(image, baseUrl))
    .filter((url) => url !== undefined);
  return {
    draft: {
      title: cleanText(first('og:title'), MAX_TITLE),
      brand: cleanText(first('product:brand', 'og:brand'), MAX_TITLE),
      category: undefined,
      url: resolveAddress(first('og:url') ?? '', baseUrl),
      description: cleanText(first('og:description'), MAX_DESCRIPTION),
      variants: [
        {
          sku: first('product:retailer_item_id', 'product:sku'),
          price,
          sale: saleOf(price, priceOf(tags, 'original_price') ?? regular),
          availability: readAvailability(first('product:availability', 'og:availability')),
          images: images.length > 0 ? images.slice(0, MAX_IMAGES).map((url) => ({ url })) : undefined,
        },
      ],
    },
  };
}

/** Different amounts belong to several products or variants. */
function priceOf(tags: ReadonlyMap<string, string[]>, name: string): Price | undefined {
  const amounts = new Set(tags.get(`product:${name}:amount`) ?? tags.get(`og:${name}:amount`) ?? []);
  const [currency] = tags.get(`product:${name}:currency`) ?? tags.get(`og:${name}:currency`) ?? [];
  const [amount] = amounts;
  return amount !== undefined && amounts.size === 1 ? readPrice(amount, currency) : undefined;
}
