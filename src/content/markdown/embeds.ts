import { firstOf } from '../images/source.ts';
import type { ElementNode } from '../tree.ts';
import { collapseSpace } from './collapse-space.ts';
import type { Renderer } from './renderer.ts';

const SOURCES = ['src', 'data-src', 'data-lazy-src', 'data-litespeed-src'];
const MAX_TITLE = 200;

/** A frame is a link to what it shows. */
export function renderFrame(element: ElementNode, page: Renderer): void {
  const { attributes } = element;
  const source = firstOf(attributes, SOURCES);
  if (isTiny(attributes.width) || isTiny(attributes.height)) return;
  writeLink(source, attributes.title || attributes['aria-label'] || attributes.name, page);
}

/** A video or a sound is a link to its file. */
export function renderMedia(element: ElementNode, page: Renderer): void {
  const { name, attributes } = element;
  const title = attributes.title || attributes['aria-label'] || (name === 'audio' ? 'Audio' : 'Video');
  writeLink(firstOf(attributes, SOURCES) ?? sourceBelow(element), title, page);
}

function sourceBelow(element: ElementNode): string | undefined {
  for (const child of element.children) {
    const source = child.kind === 'element' && child.name === 'source' ? firstOf(child.attributes, SOURCES) : undefined;
    if (source !== undefined) return source;
  }
  return undefined;
}

function writeLink(source: string | undefined, title: string | undefined, page: Renderer): void {
  const address = page.addresses.link(source);
  // Frames without a host (about:blank, blobs) show what scripts put there.
  if (address === undefined || !/^<?https?:/.test(address)) return;
  const text =
    collapseSpace(title ?? '')
      .slice(0, MAX_TITLE)
      .trim() ||
    (URL.parse(address)?.host ?? address);
  page.out.block();
  if (page.out.inLink) page.out.text(text);
  else page.marked({ kind: 'link', open: '[', close: `](${address})` }, () => page.out.text(text));
  page.out.block();
}

/** Frames that count visits. */
function isTiny(size: string | undefined): boolean {
  return size !== undefined && /^[01](?:px)?$/.test(size.trim());
}
