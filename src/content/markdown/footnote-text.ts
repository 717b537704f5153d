import { lettersOf } from '../letters.ts';
import { type ElementNode, TextNode, type TreeNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { renderText } from './math.ts';
import type { Renderer } from './renderer.ts';

const NOTE_CLASS = /(?:^|\s)(?:footnote|citation)(?:$|\s)/;
const LABEL_CLASS = /(?:^|\s)label(?:$|\s)/;
const BACK_CLASS = /backref|back-?link/i;
/** The marks before a footnote's text (its label again, or letters that link back) are no longer than this. */
const MAX_MARK = 40;
/** How many paragraphs and boxes may be between a footnote and its first words. */
const MAX_BOXES = 2;

/** GitHub's footnotes: the label, and the text indented below it. Links back to the text are left out, see `links.ts`. */
export function renderFootnote(element: ElementNode, label: string, page: Renderer): void {
  const { out } = page;
  const outer = page.footnote;
  page.footnote = label;
  out.block();
  out.nested(`[^${label}]: `, '    ', () => renderFootnoteText(element, label, page));
  out.block();
  page.footnote = outer;
}

/** Writes the text of a footnote without the marks in front of it. */
export function renderFootnoteText(element: ElementNode, label: string, page: Renderer): void {
  leaveOutMarks(element, label.replace(/-\d+$/, ''), page, MAX_BOXES);
  let isFirst = true;
  for (const child of element.children) {
    if (isFirst && child.kind === 'text') renderText(withoutPoint(child), page);
    else page.visit(child);
    isFirst &&= !isText(child, page);
  }
}

function leaveOutMarks(element: ElementNode, label: string, page: Renderer, boxes: number): void {
  for (const child of element.children) {
    if (child.kind === 'text' && child.text.trim() === '') continue;
    if (child.kind === 'text') return;
    if (isMark(child, label)) {
      page.written.add(child);
      continue;
    }
    if (boxes > 0 && (child.name === 'p' || child.name === 'div')) leaveOutMarks(child, label, page, boxes - 1);
    return;
  }
}

function isMark(element: ElementNode, label: string): boolean {
  if (element.textLength === 0 || element.textLength > MAX_MARK) return false;
  const { class: name = '' } = element.attributes;
  if (BACK_CLASS.test(name) || LABEL_CLASS.test(name)) return true;
  return lettersOf(textOf(element, MAX_MARK)) === label;
}

/** AsciiDoc writes a full stop after the number. */
function withoutPoint({ text, parent }: TextNode): TextNode {
  const rest = new TextNode(text.replace(/^\s*[.:)]\s/, ''));
  rest.parent = parent;
  return rest;
}

function isText(node: TreeNode, page: Renderer): boolean {
  return node.kind === 'text' ? node.text.trim() !== '' : node.textLength > 0 && !page.written.has(node);
}

/**
 * Writes a citation of Sphinx, or a footnote that nothing refers to, with its label in front of its text.
 * @returns whether the element is one
 */
export function wroteNote(element: ElementNode, page: Renderer): boolean {
  const name = element.attributes.class;
  if (name === undefined || !NOTE_CLASS.test(name)) return false;
  const label = element.children.find((child) => child.kind === 'element');
  if (label === undefined || !LABEL_CLASS.test(label.attributes.class ?? '')) return false;
  const { out } = page;
  page.written.add(label);
  out.block();
  out.text(textOf(label, MAX_MARK));
  out.space();
  let isFirst = true;
  for (const child of element.children) {
    const isMarkToo = child.kind === 'element' && BACK_CLASS.test(child.attributes.class ?? '');
    if (isMarkToo) continue;
    if (isFirst && child.kind === 'element' && child.name === 'p') page.children(child);
    else page.visit(child);
    isFirst &&= !isText(child, page);
  }
  out.block();
  return true;
}
