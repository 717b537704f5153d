import { isNumber, looksLikeReference, placeOf, targetOf } from './markdown/footnotes.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { walkElements } from './walk.ts';

/** A longer element is a section that a number links to. In characters. */
const MAX_TEXT = 2_000;

/** A footer in one of these is part of the text. */
const SECTIONS = new Set(['article', 'main', 'section']);

/**
 * The texts of footnotes, which stay wherever a reference to them does. Legal notes in the footer of the page do not:
 * on the labelled pages they are not content, and are up to a fifth as long as the content.
 */
export class FootnoteTexts {
  readonly #wanted = new Set<string>();
  /** The elements with their texts, by id. */
  readonly #texts = new Map<string, ElementNode>();

  /** Call this with each visible element of the page, before its main content is chosen. */
  meet(element: ElementNode): void {
    if (element.name === 'a' && looksLikeReference(element)) this.#wanted.add(targetOf(element));
    if (this.#wanted.size === 0) return;
    const { id, name } = element.attributes;
    for (const anchor of [id, name]) {
      if (anchor === undefined || !this.#wanted.has(anchor) || this.#texts.has(anchor)) continue;
      const text = placeOf(element);
      if (text && !isNumber(text) && text.textLength <= MAX_TEXT && !isInPageFooter(text))
        this.#texts.set(anchor, text);
    }
  }

  /** The content with the texts that it refers to. */
  with(content: readonly TreeNode[]): readonly TreeNode[] {
    if (this.#texts.size === 0) return content;
    const missing = new Set<ElementNode>();
    const left = new Set<ElementNode>();
    walkElements(content, (element) => {
      if (element.hidden) return false;
      left.add(element);
      const text = element.name === 'a' && looksLikeReference(element) ? this.#texts.get(targetOf(element)) : undefined;
      if (text) missing.add(text);
      return true;
    });
    return [...content, ...missing.difference(left)];
  }
}

function isInPageFooter(text: ElementNode): boolean {
  let footer: ElementNode | null = text;
  while (footer && footer.name !== 'footer') footer = footer.parent;
  let section = footer?.parent ?? null;
  while (section && !SECTIONS.has(section.name)) section = section.parent;
  return footer !== null && section === null;
}
