import { firstOf } from '../images/source.ts';
import type { ElementNode } from '../tree.ts';
import { collapseSpace } from './collapse-space.ts';
import { writePicture } from './images.ts';
import type { Renderer } from './renderer.ts';

const SOURCES = ['src', 'data-src', 'data-lazy-src', 'data-litespeed-src'];
const MAX_TITLE = 200;
/** Player parameters that name the file to play. */
const PLAYED = new Set(['movie', 'src', 'url', 'filename', 'data']);
/** Programs for plug-ins that no longer exist. No browser shows them. */
const PROGRAM_FILE = /\.(?:swf|class|jar|xap|dcr)$/i;
const PICTURE_FILE = /\.(?:svg|png|jpe?g|gif|webp|avif)$/i;

/** A frame is a link to what it shows. */
export function renderFrame(element: ElementNode, page: Renderer): void {
  const { attributes } = element;
  const source = firstOf(attributes, SOURCES);
  if (isTiny(attributes.width) || isTiny(attributes.height)) return;
  writeLink(source, attributes.title || attributes['aria-label'] || attributes.name, page);
}

/** A document or a player becomes a link, a picture becomes an image. The content is a fallback for when neither shows. */
export function renderObject(element: ElementNode, page: Renderer): void {
  const source = element.attributes.get('data') || playedBy(element);
  if (!wroteEmbedded(element, source, page)) page.children(element);
}

export function renderEmbed(element: ElementNode, page: Renderer): void {
  wroteEmbedded(element, element.attributes.src, page);
}

function playedBy({ children }: ElementNode): string | undefined {
  for (const child of children) {
    if (child.kind !== 'element' || child.name !== 'param') continue;
    if (PLAYED.has(child.attributes.name?.toLowerCase() ?? '')) return child.attributes.value;
  }
  return undefined;
}

/** @returns false if there is nothing that a reader could open */
function wroteEmbedded({ attributes, children }: ElementNode, source: string | undefined, page: Renderer): boolean {
  const address = page.addresses.link(source);
  if (address === undefined || !isWeb(address) || isTiny(attributes.width) || isTiny(attributes.height)) return false;
  const type = attributes.type ?? '';
  const path = pathOf(address);
  if (PROGRAM_FILE.test(path)) return false;
  const title = attributes.title || attributes['aria-label'];
  if (/^image\//i.test(type) || PICTURE_FILE.test(path)) writePicture(address, title || altIn(children), page);
  else writeLink(source, title || fileNameIn(path), page);
  return true;
}

/** The description of a fallback picture, which also describes the better one. */
function altIn(children: ElementNode['children']): string {
  for (const child of children) {
    if (child.kind === 'element' && child.name === 'img') return child.attributes.alt ?? '';
  }
  return '';
}

function fileNameIn(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/\.[a-z]\w{1,4}$/i.test(name)) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function pathOf(address: string): string {
  return URL.parse(address.replace(/^<|>$/g, ''))?.pathname ?? '/';
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
  // Frames without a host (about:blank, blobs) show only what scripts put there.
  if (address === undefined || !isWeb(address)) return;
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

function isWeb(address: string): boolean {
  return /^<?https?:/.test(address);
}

/** Whether this is the size of a frame that only counts visits. */
function isTiny(size: string | undefined): boolean {
  return size !== undefined && /^[01](?:px)?$/.test(size.trim());
}
