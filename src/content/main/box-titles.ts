import { readAdmonition } from '../admonitions.ts';
import type { ElementNode, TreeNode } from '../tree.ts';
import { walkElements } from '../walk.ts';
import { isTabLabel, putAbove } from './tab-labels.ts';

/**
 * The titles of admonitions and the labels of tabs. They are lines of a word or two, like those of menus and buttons, but
 * the text below says little without them. They stay wherever any of that text stays.
 */
export class BoxTitles {
  /** Each title by the box that it heads. */
  readonly #titles = new Map<ElementNode, ElementNode>();

  /** Call this with each visible element of the page, before its main content is chosen. */
  meet(element: ElementNode): void {
    if (isTabLabel(element)) this.#addLabel(element);
    const title = readAdmonition(element)?.title;
    if (title) this.#titles.set(element, title);
  }

  /** Puts back titles that were removed although their box is still there. */
  restore(nodes: readonly TreeNode[]): void {
    if (this.#titles.size === 0) return;
    const titles = new Set(this.#titles.values());
    const left = new Set<ElementNode>();
    walkElements(nodes, (element) => {
      if (titles.has(element) || this.#titles.has(element)) left.add(element);
    });
    for (const [box, title] of this.#titles) if (left.has(box) && !left.has(title)) putAbove(box, title);
  }

  /** The label is in its panel, or before a panel that cannot hold paragraphs. */
  #addLabel(label: ElementNode): void {
    const siblings = label.parent?.children ?? [];
    const panel = siblings[0] === label ? label.parent : siblings[siblings.indexOf(label) + 1];
    if (panel?.kind === 'element') this.#titles.set(panel, label);
  }
}
