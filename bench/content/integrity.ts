/** Measures how much of a page's content is in its Markdown. The markup of the page shows where the content is. */
import { selectAll } from 'css-select';
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { plainText, unescaped, withoutAddresses, wordsOf } from './score.ts';

export const KINDS = ['headings', 'terms', 'code', 'cells', 'paragraphs', 'items'] as const;
export type Kind = (typeof KINDS)[number];

export interface Integrity {
  /** Elements of the content that have text, by kind, and how many of them are missing in the Markdown. */
  of: Record<Kind, number>;
  lost: Record<Kind, number>;
  /** Elements that are in the Markdown, but only ahead of an element that precedes them on the page. */
  misplaced: number;
  /** Pairs of neighbouring blocks whose adjoining words became one word. */
  merged: number;
}

const SELECTOR = 'h1, h2, h3, h4, h5, h6, dt, pre, td, th, p, li';
/** An element is found by its first letters and digits, up to this many. Elements with fewer than the minimum are not counted. */
const MAX_START = 60;
const MIN_START = 4;
const BLOCK =
  /^(?:br|p|div|section|article|aside|header|ul|ol|li|dl|dt|dd|table|tr|td|th|caption|pre|blockquote|figure|h\d)$/;
const UNSEEN = /^(?:script|style|svg|template)$/;
/** List markers, which are not text of the page. */
const NUMBER = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+/gm;

/**
 * @param main selects the content of the page
 * @param drop selects parts that do not count: tables of contents, anchors, buttons
 */
export function measureIntegrity(
  html: string,
  markdown: string,
  { main, drop }: { main: string; drop: string },
): Integrity {
  const page = parseDocument(html);
  const dropped = new Set<AnyNode>(selectAll(drop, page));
  const unmarked = markdown.replaceAll('<br>', ' ').replace(NUMBER, '');
  // With and without addresses and pictures, because the text itself may look like one.
  const made = [unescaped(unmarked), unescaped(withoutAddresses(unmarked)), plainText(unmarked)].map(squeezed);
  const result: Integrity = { of: zeros(), lost: zeros(), misplaced: 0, merged: 0 };
  const places = made.map(() => 0);
  const found = new Set<Element>(
    selectAll<AnyNode, Element>(main, page).flatMap((each) => selectAll<AnyNode, Element>(SELECTOR, each)),
  );
  for (const element of found) {
    const start = squeezed(textOf(element, dropped)).slice(0, MAX_START);
    if (start.length < MIN_START || isIn(dropped, element)) continue;
    const kind = kindOf(element.name);
    result.of[kind]++;
    const at = made.map((each, index) => each.indexOf(start, places[index]));
    if (at.some((place) => place >= 0)) {
      for (const [index, place] of at.entries()) if (place >= 0) places[index] = place;
    } else if (made.some((each) => each.includes(start))) {
      result.misplaced++;
    } else {
      result.lost[kind]++;
    }
  }
  result.merged = countMerged(page, plainText(markdown));
  return result;
}

export function addIntegrity(sum: Integrity, each: Integrity): void {
  for (const kind of KINDS) {
    sum.of[kind] += each.of[kind];
    sum.lost[kind] += each.lost[kind];
  }
  sum.misplaced += each.misplaced;
  sum.merged += each.merged;
}

export function noIntegrity(): Integrity {
  return { of: zeros(), lost: zeros(), misplaced: 0, merged: 0 };
}

function zeros(): Record<Kind, number> {
  return { headings: 0, terms: 0, code: 0, cells: 0, paragraphs: 0, items: 0 };
}

function kindOf(name: string): Kind {
  if (name.startsWith('h')) return 'headings';
  if (name === 'dt') return 'terms';
  if (name === 'pre') return 'code';
  if (name === 'p') return 'paragraphs';
  return name === 'li' ? 'items' : 'cells';
}

/** Words on both sides of a block's edge that are one word in the Markdown, and are not one anywhere on the page. */
function countMerged(page: Document, markdown: string): number {
  const runs = textOf(page, new Set())
    .split('\n')
    .map(wordsOf)
    .filter(({ length }) => length > 0);
  const known = new Set(runs.flat());
  const made = new Set(wordsOf(markdown).filter((word) => !known.has(word)));
  let merged = 0;
  for (let index = 1; index < runs.length; index++) {
    if (made.has(`${runs[index - 1]?.at(-1)}${runs[index]?.[0]}`)) merged++;
  }
  return merged;
}

/** The text of a node, with each block on a line of its own. */
function textOf(node: AnyNode, dropped: ReadonlySet<AnyNode>): string {
  if (isText(node)) return node.data.replaceAll('\n', ' ');
  if (!('children' in node) || dropped.has(node)) return '';
  if (!isTag(node)) return node.children.map((child) => textOf(child, dropped)).join('');
  if (UNSEEN.test(node.name)) return '';
  const text = node.children.map((child) => textOf(child, dropped)).join('');
  return BLOCK.test(node.name) ? `\n${text}\n` : text;
}

function squeezed(text: string): string {
  return wordsOf(text).join('').replaceAll('_', '');
}

function isIn(elements: ReadonlySet<AnyNode>, element: Element): boolean {
  for (let node: AnyNode | null = element; node; node = node.parent) if (elements.has(node)) return true;
  return false;
}
