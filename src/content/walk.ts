import type { ElementNode, TreeNode } from './tree.ts';
import { truncate } from './truncate.ts';

/**
 * Calls `visit` for every element of `nodes` and below, in document order. A visit that returns `false` skips
 * what is below that element.
 */
export function walkElements(nodes: readonly TreeNode[], visit: (element: ElementNode) => unknown): void {
  for (const node of nodes) {
    if (node.kind === 'element' && visit(node) !== false) walkElements(node.children, visit);
  }
}

/** All text of an element, hidden or not, with white space collapsed, at most `limit` characters. */
export function textOf(element: ElementNode, limit = 10_000): string {
  return collapse(rawTextOf(element, limit));
}

/** The same with white space as in the source. */
export function rawTextOf(element: ElementNode, limit: number): string {
  const [only] = element.children;
  if (element.children.length === 1 && only?.kind === 'text') return truncate(only.text, limit);
  let text = '';
  for (const child of element.children) {
    if (text.length >= limit) break;
    text += child.kind === 'text' ? child.text : rawTextOf(child, limit - text.length);
  }
  return truncate(text, limit);
}

/** Collapses runs of white space (including line breaks and no-break spaces) into one space, and trims the ends. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
