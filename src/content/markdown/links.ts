import { isBlock } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { isHeading } from './blocks.ts';
import { collapseSpace } from './collapse-space.ts';
import { escapeTitle } from './escape.ts';
import type { Mark } from './mark.ts';
import type { Renderer } from './renderer.ts';

/** The text of links from headings and terms to themselves. */
const PERMALINK = /^[\s#¶§🔗⚓]+$/u;
/** A link around blocks with no more text than this is written as one line: it is a card of a few words. */
const MAX_LINE = 100;
const MAX_LABEL = 200;
const NUMBER = /^\W?\d+\W?$/;
/** How many boxes may be between a heading and the link in it. */
const MAX_BOXES = 2;

export function renderLink(element: ElementNode, page: Renderer): void {
  const label = page.footnotes.reference(element);
  if (label !== null) {
    page.out.verbatim(`[^${label}]`);
    return;
  }
  const jump = element.attributes.href?.startsWith('#') === true;
  if (jump && (isPermalink(element) || (page.footnote !== null && isBacklink(element)))) return;
  if (jump && isToItself(element)) {
    page.children(element);
    return;
  }
  const wrote = renderLinked(element, page, () => page.children(element));
  if (!wrote && !jump) renderLinked(element, page, () => page.out.text(labelOf(element)), '');
}

/**
 * Writes `content` inside the link, or bare if the link leads nowhere.
 * @returns whether it wrote anything
 */
export function renderLinked(
  element: ElementNode,
  page: Renderer,
  content: () => void,
  title = titleOf(element),
): boolean {
  const address = page.addresses.link(element.attributes.href);
  const start = page.out.length;
  if (address === undefined || page.out.inLink) {
    content();
    return page.out.length > start;
  }
  const mark: Mark = { kind: 'link', open: '[', close: `](${address}${title})` };
  if (page.out.flow === 'block' && hasBlock(element)) return renderAroundBlocks(element, page, mark, content);
  let wrote = false;
  page.inFlow('line', () => {
    wrote = page.marked(mark, content);
  });
  return wrote;
}

/** A link cannot hold blocks in Markdown, so the heading in it becomes the link, or else its first text. */
function renderAroundBlocks(element: ElementNode, page: Renderer, mark: Mark, content: () => void): boolean {
  const start = page.out.length;
  const heading = findHeading(element);
  const outer = { headingLink: page.headingLink, aroundBlocks: page.aroundBlocks };
  if (heading !== null) {
    page.headingLink = { heading, mark };
    content();
  } else if (element.textLength > MAX_LINE) {
    page.aroundBlocks = true;
    page.marked(mark, content);
  } else {
    page.inFlow('line', () => page.marked(mark, content));
  }
  page.headingLink = outer.headingLink;
  page.aroundBlocks = outer.aroundBlocks;
  return page.out.length > start;
}

function hasBlock(element: ElementNode): boolean {
  return element.children.some((child) => {
    if (child.kind === 'text' || child.name === 'br') return false;
    return isBlock(child.name) || hasBlock(child);
  });
}

function findHeading(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (child.kind === 'text' || child.hidden) continue;
    const heading = isHeading(child) && child.textLength > 0 ? child : findHeading(child);
    if (heading !== null) return heading;
  }
  return null;
}

function isPermalink(element: ElementNode): boolean {
  return element.textLength <= 2 && PERMALINK.test(textOf(element, 10));
}

/** Whether a heading or a term is a link to itself: `<h2 id="a"><a href="#a">A</a></h2>`. */
function isToItself(link: ElementNode): boolean {
  const id = link.attributes.href?.slice(1);
  let element: ElementNode | null = link;
  for (let level = 0; element !== null && level <= MAX_BOXES; level++, element = element.parent) {
    if (element.attributes.id === id) return true;
  }
  return false;
}

/** Whether the link leads from a footnote back to the text: an arrow, a letter, its number, or a link that says so. */
function isBacklink(link: ElementNode): boolean {
  const { textLength, attributes } = link;
  if (textLength <= 3 || (textLength <= 6 && NUMBER.test(textOf(link, 10)))) return true;
  return /back|return/i.test(`${attributes.class} ${attributes.role} ${attributes['aria-label']}`);
}

/** The label of a link without text, as screen readers read it. */
function labelOf({ attributes }: ElementNode): string {
  return (attributes['aria-label'] || attributes.title || '').slice(0, MAX_LABEL);
}

function titleOf(element: ElementNode): string {
  const title = collapseSpace(element.attributes.title ?? '').trim();
  if (title === '' || title === textOf(element, title.length + 1)) return '';
  return ` "${escapeTitle(title)}"`;
}
