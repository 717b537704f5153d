/** How whole Markdown leaves the content of a page whose markup says where that begins and ends. */
import { selectAll } from 'css-select';
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { plainText, wordsOf } from './score.ts';

export const KINDS = ['headings', 'terms', 'code', 'cells', 'paragraphs', 'items'] as const;
export type Kind = (typeof KINDS)[number];

export interface Integrity {
  /** Elements of the content with text, by kind, and how many of them are not in the Markdown. */
  of: Record<Kind, number>;
  lost: Record<Kind, number>;
  /** Elements that are there, but only before the element that they follow on the page. */
  misplaced: number;
  /** Neighbours whose last and first word became one. */
  merged: number;
}

const SELECTOR = 'h1, h2, h3, h4, h5, h6, dt, pre, td, th, p, li';
/** How much of an element is looked for, in letters and digits, and the least that is worth looking for. */
const MAX_START = 60;
const MIN_START = 4;
const BLOCK =
  /^(?:br|p|div|section|article|aside|header|ul|ol|li|dl|dt|dd|table|tr|td|th|caption|pre|blockquote|figure|h\d)$/;
const UNSEEN = /^(?:script|style|svg|template)$/;
const LINK = /\]\((?:<[^>]*>|(?:[^()\s\\]|\\.|\([^()]*\))*)(?:\s+"(?:[^"\\]|\\.)*")?\)/g;
/** Of an item of an ordered list, which is no text of the page. */
const NUMBER = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+/gm;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/**
 * @param main selects the content of the page
 * @param drop selects what in it is none: contents, anchors, buttons
 */
export function measureIntegrity(
  html: string,
  markdown: string,
  { main, drop }: { main: string; drop: string },
): Integrity {
  const page = parseDocument(html);
  const dropped = new Set<AnyNode>(selectAll(drop, page));
  const unmarked = markdown.replaceAll('<br>', ' ').replace(NUMBER, '');
  const text = unmarked.replace(ESCAPE, '$1');
  // With and without addresses and pictures: a text may hold what looks like one.
  const made = [text, text.replace(LINK, ']'), plainText(unmarked)].map(squeezed);
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
  result.merged = countMerged(page, markdown.replace(LINK, '] ').replace(ESCAPE, '$1'));
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

/** Words on both sides of the edge of a block that stand as one word in the Markdown, and nowhere on the page. */
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

/** Blocks stand on lines of their own. */
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
