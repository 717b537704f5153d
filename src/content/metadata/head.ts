import type { ElementNode, PageTree } from '../tree.ts';
import { truncate } from '../truncate.ts';
import { textOf, walkElements } from '../walk.ts';

/** Real pages have 10 to 60 tags. More than this is noise or an attack. */
const MAX_TAGS = 1_000;
const MAX_NAME_LENGTH = 200;
const MAX_VALUE_LENGTH = 10_000;

export interface MetaTag {
  /** As written on the page. */
  name: string;
  /** Trimmed, never empty. */
  content: string;
}

/** What a page says about itself, found in one walk. */
export interface Head {
  titles: string[];
  heading?: string;
  /** In document order. A tag with several names appears once for each. */
  tags: MetaTag[];
  /** `<link rel href>`. */
  links: ElementNode[];
  /** `lang` of `<html>`, else of `<body>`. */
  lang: string | undefined;
}

/**
 * Reads `<title>`, `<meta>`, `<link>` and the first `<h1>` wherever they are, because pages put head elements in the
 * body. The `<title>` of an image and the content of `<noscript>` say nothing about the page.
 */
export function readHead(tree: PageTree): Head {
  const head: Head = { titles: [], tags: [], links: [], lang: undefined };
  let heading: ElementNode | undefined;
  walkElements(tree.root.children, (element) => {
    switch (element.name) {
      case 'html':
      case 'body':
        head.lang ||= element.attributes.lang ?? element.attributes['xml:lang'];
        return true;
      case 'title':
        head.titles.push(textOf(element));
        return false;
      case 'meta':
        readMetaTag(element, head.tags);
        return true;
      case 'link':
        if (element.attributes.href && head.links.length < MAX_TAGS) head.links.push(element);
        return true;
      case 'h1':
        heading ??= element;
        return true;
      case 'svg':
      case 'noscript':
      case 'template':
        return false;
      default:
        return true;
    }
  });
  if (heading) head.heading = textOf(heading);
  return head;
}

function readMetaTag(element: ElementNode, tags: MetaTag[]): void {
  const { name, property, itemprop, content, 'http-equiv': httpEquiv } = element.attributes;
  const value = content && truncate(content, MAX_VALUE_LENGTH).trim();
  if (!value) return;
  const names = new Set<string>();
  if (name) names.add(name.trim());
  if (httpEquiv) names.add(httpEquiv.trim());
  // RDFa and microdata allow several names in one attribute.
  if (property) for (const part of property.slice(0, MAX_NAME_LENGTH).split(/\s+/)) names.add(part);
  if (itemprop && !isInsideItem(element))
    for (const part of itemprop.slice(0, MAX_NAME_LENGTH).split(/\s+/)) names.add(part);
  for (const each of names) {
    if (each && each.length <= MAX_NAME_LENGTH && tags.length < MAX_TAGS) tags.push({ name: each, content: value });
  }
}

/** `<meta itemprop>` inside a microdata item describes that item (a price, a rating), not the page. */
function isInsideItem(element: ElementNode): boolean {
  for (let parent = element.parent; parent; parent = parent.parent) {
    if (parent.name === 'head' || parent.name === 'html') return false;
    if (parent.attributes.itemscope !== undefined) return true;
  }
  return false;
}
