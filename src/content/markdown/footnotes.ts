import type { ElementNode, TreeNode } from '../tree.ts';
import { textOf, walkElements } from '../walk.ts';
import { isHeading } from './blocks.ts';

/** Numbers, letters, signs, and words as in `[note 1]`. */
const REFERENCE_TEXT = /^\W?(?:(?:fn|note|n|nb)?[\s.:]?\d{1,4}|[a-z]{1,3}|[*†‡§¶]{1,4})\W?$/i;
/** In characters. */
const MAX_REFERENCE = 12;
/** `reference` alone is not enough: Sphinx gives that class to all its links. */
const REFERENCE_CLASS = /foot-?note|endnote|noteref|fn-?ref/i;
/** How many elements, such as spans, may be between the raised element and the link. */
const MAX_BOXES = 3;
/** How long the number of a footnote may be, in characters, including the letters that link back. */
const MAX_NUMBER = 40;
/** Elements that can hold the text of a footnote. */
const HOLDERS = new Set(['li', 'p', 'div', 'aside', 'section', 'dd']);
/** Docutils wrote footnotes as tables until 2020. */
const NOTE_TABLE = /(?:^|\s)footnote(?:$|\s)/;

/**
 * The footnotes of a page. A reference is a link that jumps down within the page to a short block, and looks like one: it
 * is raised, or has the class or role of one. The page is searched when the first link that may be one is met.
 */
export class Footnotes {
  readonly #nodes: readonly TreeNode[];
  readonly #unwritten: Set<ElementNode>;
  #labels: Labels | null = null;

  /** @param unwritten receives terms and headings that are nothing but the number of a footnote */
  constructor(nodes: readonly TreeNode[], unwritten: Set<ElementNode>) {
    this.#nodes = nodes;
    this.#unwritten = unwritten;
  }

  /** The label of the footnote that the link refers to, or null if the link is not such a reference. */
  reference(link: ElementNode): string | null {
    if (!looksLikeReference(link)) return null;
    this.#labels ??= this.#find();
    return this.#labels.ofLinks.get(link) ?? null;
  }

  /** Whether a raised element holds a reference, at most a few boxes deep. */
  hasReference(raised: ElementNode, boxes = MAX_BOXES): boolean {
    return raised.children.some((child) => {
      if (child.kind === 'text') return false;
      if (child.name === 'a') return this.reference(child) !== null;
      return boxes > 0 && this.hasReference(child, boxes - 1);
    });
  }

  #find(): Labels {
    const labels = findFootnotes(this.#nodes);
    for (const number of labels.numbers) this.#unwritten.add(number);
    return labels;
  }

  /** The label of the footnote whose text the element is, or null. Known once a reference has been met. */
  definition(element: ElementNode): string | null {
    return this.#labels?.ofTexts.get(element) ?? null;
  }
}

interface Labels {
  ofLinks: Map<ElementNode, string>;
  ofTexts: Map<ElementNode, string>;
  /** Terms and headings of footnotes. */
  numbers: ElementNode[];
}

/** The element with the text of a footnote, and the term or heading above it with its number. */
interface Holder {
  text: ElementNode;
  number: ElementNode | null;
}

function findFootnotes(nodes: readonly TreeNode[]): Labels {
  const links = new Map<ElementNode, string>();
  const holders = new Map<string, Holder>();
  const wanted = new Set<string>();
  /** Numbers by their parent. The next element in the same parent is the text. */
  const numbersAbove = new Map<ElementNode | null, { number: ElementNode; anchor: string }>();
  walkElements(nodes, (element) => {
    if (element.hidden) return false;
    const above = numbersAbove.size === 0 ? undefined : numbersAbove.get(element.parent);
    if (above !== undefined) {
      numbersAbove.delete(element.parent);
      if (HOLDERS.has(element.name)) holders.set(above.anchor, { text: element, number: above.number });
    }
    const { id, name } = element.attributes;
    for (const anchor of [id, name]) {
      // Only below its reference: an anchor above is where the footnote links back to.
      if (anchor !== undefined && wanted.has(anchor) && !holders.has(anchor)) {
        const place = placeOf(element);
        if (place === null) continue;
        if (!isNumber(place)) holders.set(anchor, { text: place, number: null });
        else if (place.textLength <= MAX_NUMBER) numbersAbove.set(place.parent, { number: place, anchor });
      }
    }
    if (element.name === 'a' && looksLikeReference(element)) {
      const target = targetOf(element);
      links.set(element, target);
      wanted.add(target);
    }
    return true;
  });
  const ofLinks = new Map<ElementNode, string>();
  const ofTexts = new Map<ElementNode, string>();
  const numbers: ElementNode[] = [];
  const taken = new Map<string, number>();
  for (const [link, target] of links) {
    const holder = holders.get(target);
    if (holder === undefined) continue;
    const label = ofTexts.get(holder.text) ?? freeLabel(link, taken);
    ofTexts.set(holder.text, label);
    ofLinks.set(link, label);
    if (holder.number !== null) numbers.push(holder.number);
  }
  return { ofLinks, ofTexts, numbers };
}

/** Whether a link to a place in the page is raised, or named as a reference to a footnote. */
export function looksLikeReference(link: ElementNode): boolean {
  if (link.textLength > MAX_REFERENCE) return false;
  const { href } = link.attributes;
  if (href === undefined || href.length < 2 || !href.startsWith('#')) return false;
  if (!REFERENCE_TEXT.test(textOf(link, 20))) return false;
  const { class: name, role } = link.attributes;
  if (role === 'doc-noteref' || link.attributes['data-footnote-ref'] !== undefined) return true;
  return isRaised(link) || (name !== undefined && REFERENCE_CLASS.test(name));
}

function isRaised(link: ElementNode): boolean {
  const { parent, children } = link;
  if (parent?.name === 'sup' || parent?.parent?.name === 'sup') return true;
  return children.some((child) => child.kind === 'element' && child.name === 'sup');
}

/** The id that a link within the page leads to. */
export function targetOf(link: ElementNode): string {
  const target = (link.attributes.href ?? '').slice(1);
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The element with the text, or the number, of the footnote at this anchor. */
export function placeOf(anchor: ElementNode): ElementNode | null {
  let element: ElementNode | null = anchor;
  for (let level = 0; element !== null && level < 4; level++, element = element.parent) {
    const isTable = element.name === 'table' && NOTE_TABLE.test(element.attributes.class ?? '');
    if (isTable || isNumber(element)) return element;
    if (HOLDERS.has(element.name)) return element.children.some(isHeading) ? null : element;
  }
  return null;
}

/** Until 2022 Docutils put the number in a term; Texinfo puts it in a heading. The text is in the next element. */
export function isNumber(element: ElementNode): boolean {
  return element.name === 'dt' || isHeading(element);
}

/** @param taken the labels so far, each with the number of notes of that text: every chapter may count from 1 */
function freeLabel(link: ElementNode, taken: Map<string, number>): string {
  const text =
    textOf(link, 20)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'note';
  let count = taken.get(text) ?? 0;
  let label: string;
  do label = ++count === 1 ? text : `${text}-${count}`;
  while (taken.has(label));
  taken.set(text, count);
  if (label !== text) taken.set(label, 1);
  return label;
}
