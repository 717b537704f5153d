import type { ElementNode } from '../tree.ts';
import { Part, partsOf } from './vocabulary.ts';

const BY_TAG = new Map<string, number>([
  ['nav', Part.Navigation],
  ['menu', Part.Navigation],
  ['footer', Part.Footer],
  ['header', Part.Heading],
  ['aside', Part.Sidebar],
  ['dialog', Part.Overlay],
  ['main', Part.Main],
  ['article', Part.Main],
  ['address', Part.Author],
  ['time', Part.Author],
  ['figcaption', Part.Caption],
  ['search', Part.Control],
  ['form', Part.Form],
  ['button', Part.Button],
  ['select', Part.Button],
  ['textarea', Part.Button],
  ['label', Part.Button],
  ['legend', Part.Button],
]);

/** WAI-ARIA 1.2 roles. */
const BY_ROLE = new Map<string, number>([
  ['navigation', Part.Navigation],
  ['menu', Part.Navigation],
  ['menubar', Part.Navigation],
  ['banner', Part.Header],
  ['contentinfo', Part.Footer],
  ['complementary', Part.Sidebar],
  ['search', Part.Control],
  ['toolbar', Part.Control],
  ['form', Part.Control],
  ['listbox', Part.Control],
  ['combobox', Part.Control],
  ['radiogroup', Part.Control],
  ['dialog', Part.Overlay],
  ['alertdialog', Part.Overlay],
  ['alert', Part.Overlay],
  ['status', Part.Overlay],
  ['tooltip', Part.Overlay],
  ['main', Part.Main],
  ['article', Part.Main],
]);

/** schema.org properties. */
const BY_PROPERTY = new Map<string, number>([
  ['author', Part.Author],
  ['datePublished', Part.Author],
  ['dateModified', Part.Author],
  ['articleBody', Part.Prose],
  ['text', Part.Prose],
  ['comment', Part.Comments],
]);

/** The meaning of the tag, role and item property of an element, as bits of `Part`. */
export function partsOfTag({ name, attributes: { role, itemprop } }: ElementNode): number {
  let parts = BY_TAG.get(name) ?? 0;
  if (role !== undefined) parts |= BY_ROLE.get(role) ?? 0;
  if (itemprop !== undefined) parts |= BY_PROPERTY.get(itemprop) ?? 0;
  return parts;
}

/**
 * Determines the parts of the elements of one page. A page has few names on many elements, so each name is read once.
 */
export class PartReader {
  readonly #byNames = new Map<string, number>();

  /** The meaning of the tag, class, id, role and item property of an element, as bits of `Part`. */
  read(element: ElementNode): number {
    const { class: classes, id } = element.attributes;
    let parts = partsOfTag(element);
    if (classes !== undefined) parts |= this.#ofNames(classes);
    if (id !== undefined) parts |= this.#ofNames(id);
    return parts;
  }

  #ofNames(names: string): number {
    const known = this.#byNames.get(names);
    if (known !== undefined) return known;
    const parts = partsOf(names);
    this.#byNames.set(names, parts);
    return parts;
  }
}
