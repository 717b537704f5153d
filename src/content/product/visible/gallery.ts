import { resolveAddress } from '../../address.ts';
import { imageSources, isPixel } from '../../images/source.ts';
import { lettersOf } from '../../letters.ts';
import type { ProductVariant } from '../../page-content.ts';
import { cleanText } from '../clean-text.ts';
import { MAX_IMAGES, MAX_TITLE } from '../draft.ts';
import { Name } from './box-names.ts';
import { type Box, outward, type PageBoxes } from './page-boxes.ts';
import type { ProductArea } from './product-area.ts';

/** An image more than this many characters from the title does not belong to the product. */
const MAX_DISTANCE = 1_500;
/** Addresses of drawings and of pictures that stand in until the real one is loaded. */
const NO_PICTURE = /\.(?:svg|gif)$|[/_-](?:icons?|loader|loading|spinner|placeholder|cookies?|payments?)[/_.-]/i;
const MAX_LOOKED_AT = 300;

/**
 * Images of the product near its title: those in a gallery, or else those whose alt text contains the product's name.
 */
export function shownImages(
  { images }: PageBoxes,
  area: ProductArea,
  title: string | undefined,
  baseUrl: string,
): ProductVariant['images'] {
  const near = images
    .filter((image) => isNear(image, area) && !isPixel(image.element.attributes))
    .slice(0, MAX_LOOKED_AT);
  const own = near.filter((image) => !area.isForeign(image));
  const inGallery = own.filter(isInGallery);
  const letters = lettersOf(title);
  const named = own.filter((image) => letters !== '' && lettersOf(image.element.attributes.alt).includes(letters));
  return picturesOf(inGallery.length > 0 ? inGallery : named, baseUrl);
}

function isNear({ start }: Box, area: ProductArea): boolean {
  return area.titles.length > 0 && Math.abs(area.distanceFromTitle(start)) <= MAX_DISTANCE;
}

/** Whether an image is in a gallery. A gallery holds little text except captions. */
function isInGallery(image: Box): boolean {
  for (const { names, start, end } of outward(image)) {
    if (end - start > MAX_DISTANCE) return false;
    if ((names & Name.Gallery) !== 0) return true;
  }
  return false;
}

function picturesOf(images: readonly Box[], baseUrl: string): ProductVariant['images'] {
  const pictures = new Map<string, { url: string; alt?: string }>();
  for (const { element } of images) {
    const [source = '', largest = ''] = imageSources(element.attributes);
    const url = resolveAddress(largest || source, baseUrl);
    // If a picture comes in several sizes, only the first is kept.
    const key = url?.replace(/[?#].*$/s, '');
    if (url === undefined || key === undefined || pictures.has(key) || NO_PICTURE.test(key)) continue;
    const alt = cleanText(element.attributes.alt, MAX_TITLE);
    pictures.set(key, alt === undefined ? { url } : { url, alt });
    if (pictures.size >= MAX_IMAGES) break;
  }
  return pictures.size > 0 ? [...pictures.values()] : undefined;
}
