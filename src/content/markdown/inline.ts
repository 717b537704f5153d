import type { ElementNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import type { Mark } from './mark.ts';
import type { Renderer } from './renderer.ts';

const STRONG: Mark = { kind: 'emphasis', open: '**', close: '**' };
const EMPHASIS: Mark = { kind: 'emphasis', open: '*', close: '*' };
const STRIKETHROUGH: Mark = { kind: 'emphasis', open: '~~', close: '~~' };
const SUBSCRIPT: Mark = { kind: 'html', open: '<sub>', close: '</sub>' };
const SUPERSCRIPT: Mark = { kind: 'html', open: '<sup>', close: '</sup>' };

/** Word processors write `<b style="font-weight:normal">` around whole documents, and bold text in spans. */
const WEIGHT = /(?:^|[;\s])font-weight\s*:\s*(normal|lighter|bold|bolder|\d{1,4})/i;
const SLANT = /(?:^|[;\s])font-style\s*:\s*(normal|italic|oblique)/i;
/** Browsers use the bold face of a font from this weight on. */
const MIN_BOLD = 600;

/** Writes `content` in bold, unless it is bold already. */
export function strong(page: Renderer, content: () => void): void {
  if (page.plainStrong) content();
  else page.marked(STRONG, () => page.withoutStrong(content));
}

export function renderStrong(element: ElementNode, page: Renderer): void {
  renderStyled(element, page, true, false);
}

export function renderEmphasis(element: ElementNode, page: Renderer): void {
  renderStyled(element, page, false, true);
}

/** Writes the content of the element, bold or italic as its style says, or else as is usual for its name. */
export function renderStyled(element: ElementNode, page: Renderer, isBold: boolean, isItalic: boolean): void {
  const { style } = element.attributes;
  const bold = (style === undefined ? null : isBoldStyle(style)) ?? isBold;
  const italic = (style === undefined ? null : isItalicStyle(style)) ?? isItalic;
  const write = () => page.children(element);
  if ((!bold && !italic) || !hasWord(element)) write();
  else if (!bold) page.marked(EMPHASIS, write);
  else strong(page, italic ? () => page.marked(EMPHASIS, write) : write);
}

function isBoldStyle(style: string): boolean | null {
  const weight = WEIGHT.exec(style)?.[1]?.toLowerCase();
  if (weight === undefined) return null;
  return weight.startsWith('bold') || Number(weight) >= MIN_BOLD;
}

function isItalicStyle(style: string): boolean | null {
  const slant = SLANT.exec(style)?.[1];
  return slant === undefined ? null : slant.toLowerCase() !== 'normal';
}

export function renderStrikethrough(element: ElementNode, page: Renderer): void {
  page.marked(STRIKETHROUGH, () => page.children(element));
}

export function renderSubscript(element: ElementNode, page: Renderer): void {
  page.marked(SUBSCRIPT, () => page.children(element));
}

export function renderSuperscript(element: ElementNode, page: Renderer): void {
  // A footnote reference is raised anyway, and so are signs such as ®.
  if (page.footnotes.hasReference(element)) renderReferences(element, page);
  else if (/^[®™©℠]$/.test(textOf(element, 10))) page.children(element);
  else page.marked(SUPERSCRIPT, () => page.children(element));
}

/** Writes footnote references without the brackets that DocBook and AsciiDoc put around the link. */
function renderReferences(element: ElementNode, page: Renderer): void {
  for (const child of element.children)
    if (child.kind === 'element' || !/^[\s[\]()]*$/.test(child.text)) page.visit(child);
}

export function renderQuotation(element: ElementNode, page: Renderer): void {
  page.marked({ kind: 'html', open: '“', close: '”' }, () => page.children(element));
}

/** The reading of a word follows it in parentheses. Some pages already have them, for old browsers. */
export function renderRubyText(element: ElementNode, page: Renderer): void {
  const siblings = element.parent?.children.slice(0, 100) ?? [];
  if (siblings.some((node) => node.kind === 'element' && node.name === 'rp')) page.children(element);
  else page.marked({ kind: 'html', open: '(', close: ')' }, () => page.children(element));
}

/** Whether the element holds a word. Emphasis on a colon or a dash alone is noise, and hard to write. */
function hasWord(element: ElementNode): boolean {
  return element.textLength > 3 || /[\p{L}\p{N}]/u.test(textOf(element, 10)) || element.textLength === 0;
}
