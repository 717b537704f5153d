import type { ElementNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import type { Renderer } from './renderer.ts';
import type { Mark } from './writer.ts';

const STRONG: Mark = { kind: 'emphasis', open: '**', close: '**' };
const EMPHASIS: Mark = { kind: 'emphasis', open: '*', close: '*' };
const STRIKETHROUGH: Mark = { kind: 'emphasis', open: '~~', close: '~~' };
const SUBSCRIPT: Mark = { kind: 'html', open: '<sub>', close: '</sub>' };
const SUPERSCRIPT: Mark = { kind: 'html', open: '<sup>', close: '</sup>' };

/** Word processors write `<b style="font-weight:normal">` around whole documents. */
const NORMAL_WEIGHT = /font-weight\s*:\s*(?:normal|[1-4]00)/i;

/** Runs `content` in bold, unless it is bold already. */
export function strong(page: Renderer, content: () => void): void {
  if (page.plainStrong) content();
  else page.marked(STRONG, () => page.withoutStrong(content));
}

export function renderStrong(element: ElementNode, page: Renderer): void {
  const { style } = element.attributes;
  if (!hasWord(element) || (style !== undefined && NORMAL_WEIGHT.test(style))) page.children(element);
  else strong(page, () => page.children(element));
}

export function renderEmphasis(element: ElementNode, page: Renderer): void {
  if (!hasWord(element)) page.children(element);
  else page.marked(EMPHASIS, () => page.children(element));
}

export function renderStrikethrough(element: ElementNode, page: Renderer): void {
  page.marked(STRIKETHROUGH, () => page.children(element));
}

export function renderSubscript(element: ElementNode, page: Renderer): void {
  page.marked(SUBSCRIPT, () => page.children(element));
}

export function renderSuperscript(element: ElementNode, page: Renderer): void {
  // A footnote's reference is raised by itself, and signs like these are.
  if (page.footnotes.hasReference(element) || /^[®™©℠]$/.test(textOf(element, 10))) page.children(element);
  else page.marked(SUPERSCRIPT, () => page.children(element));
}

export function renderQuotation(element: ElementNode, page: Renderer): void {
  page.marked({ kind: 'html', open: '“', close: '”' }, () => page.children(element));
}

/** The reading of a word stands behind it in parentheses, which some pages bring along for old browsers. */
export function renderRubyText(element: ElementNode, page: Renderer): void {
  const siblings = element.parent?.children.slice(0, 100) ?? [];
  if (siblings.some((node) => node.kind === 'element' && node.name === 'rp')) page.children(element);
  else page.marked({ kind: 'html', open: '(', close: ')' }, () => page.children(element));
}

/** Emphasis on a colon or a dash alone is noise, and hard to write. */
function hasWord(element: ElementNode): boolean {
  return element.textLength > 3 || /[\p{L}\p{N}]/u.test(textOf(element, 10)) || element.textLength === 0;
}
