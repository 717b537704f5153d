import type { PageMetadata } from './page-content.ts';
import { parseHtml } from './parse-html.ts';
import { readEmbeddedState } from './structured/embedded-state.ts';
import { isRecord, parseJson } from './structured/json.ts';
import { readScripts } from './structured/scripts.ts';
import type { PageTree } from './tree.ts';
import { walkElements } from './walk.ts';

/** Shorter texts are teasers and descriptions. In characters. */
const MIN_BODY = 600;
const MAX_BODY = 2_000_000;
const MAX_VALUES = 100_000;
const MAX_DEPTH = 40;

const TITLES = ['title', 'headline', 'name', 'heading'];
const BODIES = ['articleBody', 'body', 'content', 'html', 'bodyHtml', 'contentHtml', 'text', 'markdown', 'description'];
/** HTML from its first character to its last, not a text that names a tag. */
const MARKUP = /^\s*<(?:p|h[1-6]|ul|ol|div|section|article|blockquote|figure)\b[^<>]*>[\s\S]*<\/\w+>\s*$/i;
/** Between the title of a page and the name of its site. */
const SEPARATOR = /\s[-–—|·•:»]\s|\s?[|»]\s/u;

/**
 * Puts the text that a shell has in its state, as `__NEXT_DATA__`, `__NUXT__` or JSON-LD, into the page, if it is surely the
 * page's own: a long text in one object with the title of the page, and in no other. The state is read as data and never run.
 * What is not HTML stays text.
 * @returns whether there is such a text
 */
export function showStateContent(tree: PageTree, { title, ogTitle }: PageMetadata): boolean {
  const titles = new Set(
    [title, ogTitle]
      .flat()
      .flatMap((name) => (name ? [wordsOf(name), wordsOf(name.split(SEPARATOR, 1)[0] ?? '')] : [])),
  );
  titles.delete('');
  if (titles.size === 0) return false;
  const scripts = readScripts(tree);
  const found = new Map<string, string>();
  const search = new Search(titles, found);
  for (const state of [...scripts.jsonLd.map(parseJson), ...readEmbeddedState(scripts)]) search.visit(state, 0);
  const [entry] = found;
  if (entry === undefined || found.size > 1) return false;
  const [body, heading] = entry;
  return replaceBody(tree, `<main><article><h1>${escapeText(heading)}</h1>${toHtml(body)}</article></main>`);
}

class Search {
  readonly #titles: ReadonlySet<string>;
  /** Titles by their texts: the same text often stands in a state twice. */
  readonly #found: Map<string, string>;
  #left = MAX_VALUES;

  constructor(titles: ReadonlySet<string>, found: Map<string, string>) {
    this.#titles = titles;
    this.#found = found;
  }

  visit(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || --this.#left < 0) return;
    if (isRecord(value)) this.#take(value);
    if (typeof value !== 'object' || value === null) return;
    for (const each of Object.values(value)) this.visit(each, depth + 1);
  }

  #take(record: Record<string, unknown>): void {
    const heading = TITLES.map((name) => record[name]).find((text) => typeof text === 'string');
    if (typeof heading !== 'string' || !this.#titles.has(wordsOf(heading))) return;
    const body = BODIES.map((name) => record[name]).find((text) => typeof text === 'string' && isWhole(text));
    if (typeof body === 'string') this.#found.set(body, heading);
  }
}

/** A text that ends in dots goes on elsewhere. */
function isWhole(text: string): boolean {
  return text.length >= MIN_BODY && text.length <= MAX_BODY && !/(?:…|\.\.\.)\W*$/.test(text.slice(-20));
}

function toHtml(body: string): string {
  if (MARKUP.test(body)) return body;
  return body
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeText(paragraph)}</p>`)
    .join('');
}

function replaceBody(tree: PageTree, html: string): boolean {
  const { root } = parseHtml(html, tree.baseUrl);
  let isReplaced = false;
  walkElements(tree.root.children, (element) => {
    if (element.name !== 'body' || isReplaced) return !isReplaced;
    isReplaced = true;
    element.children = root.children;
    for (const child of element.children) child.parent = element;
    for (let outer: typeof element | null = element; outer; outer = outer.parent) {
      outer.textLength = root.textLength;
      outer.linkLength = root.linkLength;
      outer.commas = root.commas;
      outer.hasCode = root.hasCode;
    }
    return false;
  });
  return isReplaced;
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
