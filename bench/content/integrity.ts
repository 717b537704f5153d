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
  /** Elements that are in the Markdown, but not in the order of the page: those outside the longest chain that is. */
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
/** Characters that would be markup: `Result&lt;T>`. */
const ENTITY = /&(?:lt|gt|amp|quot|#\d{1,4});/g;
/** A short text such as `type` occurs hundreds of times. */
const MAX_PLACES = 1_000;

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
  const found = new Set<Element>(
    selectAll<AnyNode, Element>(main, page).flatMap((each) => selectAll<AnyNode, Element>(SELECTOR, each)),
  );
  const starts: { start: string; kind: Kind }[] = [];
  for (const element of found) {
    const start = squeezed(textOf(element, dropped)).slice(0, MAX_START);
    if (start.length >= MIN_START && !isIn(dropped, element)) starts.push({ start, kind: kindOf(element.name) });
  }
  const isFound = new Set<number>();
  const isInOrder = new Set<number>();
  for (const made of readings(markdown)) {
    const { all, inOrder } = placesIn(
      made,
      starts.map(({ start }) => start),
    );
    for (const index of all) isFound.add(index);
    for (const index of inOrder) isInOrder.add(index);
  }
  const result: Integrity = { of: zeros(), lost: zeros(), misplaced: isFound.size - isInOrder.size, merged: 0 };
  for (const [index, { kind }] of starts.entries()) {
    result.of[kind]++;
    if (!isFound.has(index)) result.lost[kind]++;
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

/**
 * The letters and digits of the Markdown: with and without list markers, which code contains as text, and with and without
 * addresses and pictures, because text may look like one.
 */
function readings(markdown: string): string[] {
  const marked = markdown.replaceAll('<br>', ' ').replace(ENTITY, ' ');
  const unmarked = marked.replace(NUMBER, '');
  return [marked, unmarked].flatMap((each) =>
    [unescaped(each), unescaped(withoutAddresses(each)), plainText(each)].map(squeezed),
  );
}

/** The indices of the texts that occur in a longer one, and of those in the longest chain that occurs in order. */
function placesIn(made: string, texts: readonly string[]): { all: number[]; inOrder: number[] } {
  const all: number[] = [];
  /** The chains by length: the smallest last place of each, the text there, and the chain before it. */
  const chains: { place: number; index: number; previous: number }[] = [];
  const ends: number[] = [];
  for (const [index, text] of texts.entries()) {
    const places = placesOf(text, made);
    if (places.length > 0) all.push(index);
    // From the last place to the first, so that no chain has a text twice.
    for (const place of places.toReversed()) {
      const length = firstAbove(ends, (end) => (chains[end]?.place ?? 0) > place);
      ends[length] = chains.push({ place, index, previous: ends[length - 1] ?? -1 }) - 1;
    }
  }
  const inOrder: number[] = [];
  for (let chain = chains[ends.at(-1) ?? -1]; chain; chain = chains[chain.previous]) inOrder.push(chain.index);
  return { all, inOrder };
}

function placesOf(text: string, made: string): number[] {
  const places: number[] = [];
  for (let at = made.indexOf(text); at >= 0 && places.length < MAX_PLACES; at = made.indexOf(text, at + 1)) {
    places.push(at);
  }
  return places;
}

/** The index of the first value for which this holds, where it holds for all later ones, or the number of values. */
function firstAbove<Value>(values: readonly Value[], isAbove: (value: Value) => boolean): number {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const value = values[middle];
    if (value !== undefined && isAbove(value)) to = middle;
    else from = middle + 1;
  }
  return from;
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
