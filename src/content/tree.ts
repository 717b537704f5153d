/**
 * The light tree that everything in content/ reads: elements, text, and the counts that main-content scoring needs,
 * carried bottom-up while the tree is built. It is not a general DOM: it has no ranges, live lists or events.
 *
 * The parser keeps every element at most MAX_DEPTH below the root, so a recursive walk is safe.
 */

import type { Attributes } from './tree/attributes.ts';

export { type Attributes, NO_ATTRIBUTES } from './tree/attributes.ts';

/** No element is deeper than this. It is the limit of Chromium's parser, so pages look the same as there. */
export const MAX_DEPTH = 512;

export class TextNode {
  readonly kind = 'text';
  parent: ElementNode | null = null;
  /** Character references are decoded; white space is as in the source. */
  text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class ElementNode {
  readonly kind = 'element';
  parent: ElementNode | null = null;
  /** Set when the element is closed. */
  children: TreeNode[];
  /** Lower case. */
  readonly name: string;
  /** The properties of its tag, as in tree/tags.ts. */
  readonly bits: number;
  readonly attributes: Attributes;
  /**
   * The element itself is not shown: by its kind (script, style, template, head …) or by its attributes (`hidden`,
   * `aria-hidden="true"`, an inline style, a closed dialog). Its descendants are not marked: see `isHidden`.
   */
  hidden = false;

  /**
   * Characters of visible text below, with white space collapsed. Set when the element is closed. A hidden element
   * counts its own text but adds nothing to its parent.
   */
  textLength = 0;
  /** The part of `textLength` that is inside links. */
  linkLength = 0;
  /** Commas (of any script) in that text. */
  commas = 0;
  /** A `<pre>` is somewhere below. Set when the element is closed. */
  hasCode = false;

  constructor({ name, bits }: { name: string; bits: number }, attributes: Attributes, children: TreeNode[] = []) {
    this.name = name;
    this.bits = bits;
    this.attributes = attributes;
    this.children = children;
  }
}

export type TreeNode = ElementNode | TextNode;

/** A parsed page. `root` is a nameless element above `<html>`; its children are what the source had at top level. */
export interface PageTree {
  root: ElementNode;
  /** The base address of links and images: `<base href>` if it is a valid http(s) address, else the page's own. */
  baseUrl: string;
  /** The page had more nodes than the parser keeps; what came after them is missing. */
  truncated: boolean;
}

/** Whether the node or anything above it is not shown. Walking from the top, ask each element's own `hidden` instead. */
export function isHidden(node: TreeNode): boolean {
  let element = node.kind === 'element' ? node : node.parent;
  while (element !== null && !element.hidden) element = element.parent;
  return element !== null;
}
