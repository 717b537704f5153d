import type { ElementNode } from '../tree.ts';
import { walkElements } from '../walk.ts';

/** What a page declares about its content. */
export interface Declarations {
  /** `<main>`, `<article>` and the like, and every element around them. */
  aroundMain: Set<ElementNode>;
  /**
   * The number of occurrences of each schema.org type in its JSON-LD and microdata, by lower-case name without the
   * vocabulary.
   */
  schemaTypes: Map<string, number>;
}

/** The longest `<article>` counts as declared content from this share of the page's text: teasers are articles too. */
const MIN_ARTICLE_SHARE = 0.15;

/** Pages list up to some hundred items, and later ones add nothing new. */
const MAX_TYPES = 1_000;

export function readDeclarations(root: ElementNode): Declarations {
  const declared: ElementNode[] = [];
  const types = new Map<string, number>();
  let longest: ElementNode | undefined;
  walkElements([root], (element) => {
    const { name, attributes } = element;
    if (name === 'script') {
      if (attributes.type?.includes('ld+json')) addJsonLdTypes(types, element);
      return false;
    }
    if (attributes.itemtype !== undefined) addType(types, attributes.itemtype);
    if (element.hidden) return name === 'head';
    if (name === 'main' || attributes.role === 'main' || attributes.itemprop === 'articleBody') declared.push(element);
    else if (name === 'article' && element.textLength > (longest?.textLength ?? root.textLength * MIN_ARTICLE_SHARE))
      longest = element;
    return true;
  });
  if (longest) declared.push(longest);
  return { aroundMain: around(declared), schemaTypes: types };
}

function around(elements: readonly ElementNode[]): Set<ElementNode> {
  const found = new Set<ElementNode>();
  for (const element of elements) {
    for (let outer: ElementNode | null = element; outer && !found.has(outer); outer = outer.parent) found.add(outer);
  }
  return found;
}

/** Finds `"@type": "Name"` and `"@type": ["Name", …]` without parsing, which also reads JSON that is not quite valid. */
function addJsonLdTypes(types: Map<string, number>, script: ElementNode): void {
  for (const child of script.children) {
    if (child.kind !== 'text') continue;
    const { text } = child;
    let at = text.indexOf('"@type"');
    for (let count = 0; at >= 0 && count < MAX_TYPES; count++) {
      const value = /^\s*:\s*\[?\s*"([^"\\]{1,200})"/.exec(text.slice(at + 7, at + 300));
      if (value?.[1] !== undefined) addType(types, value[1]);
      at = text.indexOf('"@type"', at + 7);
    }
  }
}

function addType(types: Map<string, number>, name: string): void {
  const type = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1).toLowerCase();
  types.set(type, (types.get(type) ?? 0) + 1);
}
