import { resolveAddress } from './address.ts';
import { firstOf, imageSources, isPixel } from './images/source.ts';
import { styleImages } from './images/style.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { walkElements } from './walk.ts';

/** The largest real pages have about 1,000. */
const MAX_IMAGES = 10_000;

/** Attributes in which lazy-loading scripts keep the address of a background. */
const LAZY_BACKGROUNDS = ['data-bg', 'data-background', 'data-background-image', 'data-bgset'];

/**
 * The images in `nodes` and below: absolute http(s) addresses, each once, in document order. A picture with several
 * sizes gives two: the one in `src`, because the Markdown shows it, and the largest, because that is the one to
 * download. Images of one pixel count visits and are left out.
 */
export function readImages(nodes: readonly TreeNode[], baseUrl: string): string[] {
  const images = new Set<string>();
  walkElements(nodes, (element) => {
    for (const source of sourcesOf(element)) {
      if (images.size >= MAX_IMAGES) return;
      const address = resolveAddress(source, baseUrl);
      if (address) images.add(address);
    }
  });
  return [...images];
}

function sourcesOf(element: ElementNode): string[] {
  const { name, attributes } = element;
  const sources = backgroundsOf(attributes);
  if (name === 'img' || name === 'amp-img') {
    if (!isPixel(attributes)) sources.push(...imageSources(attributes));
  } else if (name === 'source' && element.parent?.name === 'picture') {
    sources.push(...imageSources(attributes));
  } else if (name === 'video') {
    sources.push(attributes.poster ?? '');
  } else if (name === 'image') {
    sources.push(attributes.href ?? attributes['xlink:href'] ?? '');
  } else if (name === 'input' && attributes.type?.toLowerCase() === 'image') {
    sources.push(attributes.src ?? '');
  }
  return sources.filter((source) => source !== '');
}

function backgroundsOf(attributes: ElementNode['attributes']): string[] {
  const sources = attributes.style ? styleImages(attributes.style) : [];
  const lazy = firstOf(attributes, LAZY_BACKGROUNDS);
  // Some write the bare address, others the CSS value.
  if (lazy) sources.push(...(lazy.includes('url(') ? styleImages(`background:${lazy}`) : [lazy.trim()]));
  return sources;
}
