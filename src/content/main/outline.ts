import { MUTED, TAGS } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { isBoilerplate } from './boilerplate.ts';
import { PartReader } from './element-parts.ts';
import { Part } from './vocabulary.ts';

/** What stands in a line. All others, elements of unknown name too, are blocks. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** An element that may hold content, with what main-content detection asks about it. */
export class OutlineNode {
  readonly element: ElementNode;
  /** Bits of `Part`. */
  readonly parts: number;
  readonly parent: OutlineNode | null;
  readonly children: OutlineNode[] = [];
  readonly isBlock: boolean;
  /** Characters of visible text in and below the element. */
  text = 0;
  /** Those of them that are in links. */
  link = 0;
  /** Characters of the element's own line: the text in it that is in no block below it. Inline elements have none. */
  line = 0;
  /** Those of them that are in links. */
  lineLink = 0;
  /** The line is a sentence or more, not a label, a title or a list of links. */
  isProse = false;
  /** The element and all below is no content. */
  dropped = false;
  /** How much tells for content in and below the element. */
  weight = 0;

  constructor(element: ElementNode, parts: number, parent: OutlineNode | null) {
    this.element = element;
    this.parts = parts;
    this.parent = parent;
    this.isBlock = !INLINE.has(element.name);
  }

  get name(): string {
    return this.element.name;
  }
}

/** Shorter lines are labels, names and titles. */
const MIN_PROSE = 80;
/** The same in scripts that write a word in one to three characters. */
const MIN_DENSE_PROSE = 32;
const DENSE_LANGUAGE = /^(?:zh|yue|ja|ko|th|lo|km|my)\b/i;
const MAX_PROSE_LINKS = 0.4;

/** Whether an element counts as part of the page: it is shown, and what is in it is text to read. */
export function isShown(element: ElementNode): boolean {
  return !element.hidden && ((TAGS.get(element.name)?.bits ?? 0) & MUTED) === 0;
}

/**
 * The outline of what is below `root`, without what is hidden and what is boilerplate by its name.
 * @param aroundMain elements that are no boilerplate, whatever their names are
 * @param language as BCP 47 has it
 */
export function outlineOf(root: ElementNode, aroundMain: ReadonlySet<ElementNode>, language = ''): OutlineNode {
  const partReader = new PartReader();
  const pageLength = Math.max(1, root.textLength);
  const minProse = DENSE_LANGUAGE.test(language) ? MIN_DENSE_PROSE : MIN_PROSE;

  const add = (node: OutlineNode, block: OutlineNode, inLink: boolean, inSection: boolean): void => {
    const { element } = node;
    const isLink = inLink || (element.name === 'a' && element.attributes.href !== undefined);
    let own = element.textLength;
    for (const child of element.children) {
      if (child.kind === 'text' || !isShown(child)) continue;
      own -= child.textLength;
      const parts = partReader.read(child) | (child.name === 'header' && !inSection ? Part.PageHeader : 0);
      if (isBoilerplate(child, parts, pageLength) && !aroundMain.has(child)) continue;
      const childNode = new OutlineNode(child, parts, node);
      node.children.push(childNode);
      add(childNode, childNode.isBlock ? childNode : block, isLink, inSection || isSection(child));
      node.text += childNode.text;
      node.link += childNode.link;
    }
    node.text += own;
    block.line += own;
    if (isLink) {
      node.link += own;
      block.lineLink += own;
    }
    node.isProse = node.line >= minProse && node.lineLink < MAX_PROSE_LINKS * node.line;
  };

  const outline = new OutlineNode(root, 0, null);
  add(outline, outline, false, false);
  return outline;
}

function isSection({ name, attributes: { role } }: ElementNode): boolean {
  return name === 'article' || name === 'main' || name === 'section' || role === 'article' || role === 'main';
}

/** Calls `visit` for a node and what is below it in document order, but for what is dropped; `false` skips what is below. */
export function walkOutline(node: OutlineNode, visit: (node: OutlineNode) => unknown): void {
  if (node.dropped || visit(node) === false) return;
  for (const child of node.children) walkOutline(child, visit);
}

/** Characters of text in and below the node, without what is dropped. */
export function keptLength(node: OutlineNode): number {
  let length = 0;
  walkOutline(node, ({ line }) => {
    length += line;
  });
  return length;
}

/** Nothing is dropped any more. */
export function restore(node: OutlineNode): void {
  node.dropped = false;
  for (const child of node.children) restore(child);
}

/** The node and all that it is in. */
export function ancestorsOf(node: OutlineNode | null = null): Set<OutlineNode> {
  const ancestors = new Set<OutlineNode>();
  for (let ancestor = node; ancestor; ancestor = ancestor.parent) ancestors.add(ancestor);
  return ancestors;
}
