import type { PageTree } from '../tree.ts';
import { walkElements } from '../walk.ts';

/** Prefixes of the Open Graph protocol and its product type. */
const PREFIX = /^(?:og|product):/i;
const MAX_TAGS = 1_000;

/**
 * The Open Graph tags of a page by their lower-case name, in order, including tags with `name` instead of `property`.
 */
export function readOpenGraph(tree: PageTree): Map<string, string[]> {
  const tags = new Map<string, string[]>();
  let count = 0;
  walkElements(tree.root.children, ({ name, attributes }) => {
    if (name !== 'meta' || count >= MAX_TAGS) return;
    const property = (attributes.property ?? attributes.name ?? '').trim().toLowerCase();
    const content = attributes.content?.trim();
    if (!content || !PREFIX.test(property)) return;
    count++;
    const values = tags.get(property);
    if (values) values.push(content);
    else tags.set(property, [content]);
  });
  return tags;
}
