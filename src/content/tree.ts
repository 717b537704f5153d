/**
 * The light tree that everything in content/ reads: elements, text, and the counts that main-content
 * scoring needs, carried bottom-up while the tree is built. No general DOM: no ranges, no live lists, no events.
 */

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
  readonly children: TreeNode[] = [];
  /** Lower case. */
  readonly name: string;
  /** Names in lower case, values decoded, the first of a repeated name wins. */
  readonly attributes: Record<string, string>;

  /** Characters of visible text below, runs of white space counted as one. Set when the element is closed. */
  textLength = 0;
  /** The part of `textLength` that is inside links. */
  linkLength = 0;
  /** Commas (of any script) in that text. */
  commas = 0;

  constructor(name: string, attributes: Record<string, string>) {
    this.name = name;
    this.attributes = attributes;
  }
}

export type TreeNode = ElementNode | TextNode;

/** A parsed page. `root` is a nameless element above `<html>`; its children are what the source had at top level. */
export interface PageTree {
  root: ElementNode;
  /** What links and images resolve against: `<base href>` if it is a valid http(s) address, else the page's own. */
  baseUrl: string;
}
