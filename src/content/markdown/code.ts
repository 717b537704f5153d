import { fenced } from '../plain/fence.ts';
import { isBlock } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { languageOf } from './code-language.ts';
import { renderLinked } from './links.ts';
import type { Renderer } from './renderer.ts';

/** Classes of elements that number lines. */
const GUTTER = /(?:^|[\s_-])(?:gutter|line-?no(?:s|div)?|line-?num(?:ber)?s?|lnt?|blob-num)(?:$|[\s_-])/i;

/** Boxes that highlighters put between the cell of a table and the code. */
const MAX_BOXES = 3;

export function renderPre(element: ElementNode, page: Renderer): void {
  const code = codeText(element);
  if (isGutter(element) || (isNumbering(code) && isInCell(element))) return;
  if (code.trim() === '') {
    // Only an image or a form, or only numbers of lines.
    if (element.textLength === 0) page.block(element);
    return;
  }
  page.out.block();
  if (page.out.flow === 'block') page.out.lines(fenced(code, languageOf(element)).split('\n'));
  else writeLines(code, page);
  page.out.block();
}

/** Code on the one line of a table's cell or a heading. */
function writeLines(code: string, page: Renderer): void {
  for (const line of code.split('\n')) {
    page.out.block();
    page.out.verbatim(codeSpan(line));
  }
}

/** `<code>` and its kin; with line breaks in it, it is a block that lacks its `<pre>`. */
export function renderCode(element: ElementNode, page: Renderer): void {
  const only = element.children.length === 1 ? element.children[0] : undefined;
  if (only?.kind === 'element' && only.name === 'a') {
    renderLinked(only, page, () => page.out.verbatim(codeSpan(codeText(only))));
    return;
  }
  const code = rawText(element);
  if (code.trim() === '') page.children(element);
  else if (isCodeBlock(element, page)) renderPre(element, page);
  else writeSpan(code, page);
}

function isCodeBlock(element: ElementNode, page: Renderer): boolean {
  if (page.out.flow !== 'block' || page.out.inLink) return false;
  return element.children.some((child) => child.kind === 'element' && (child.name === 'br' || child.name === 'pre'));
}

function writeSpan(code: string, page: Renderer): void {
  if (/^\s/.test(code)) page.out.space();
  page.out.verbatim(codeSpan(code));
  if (/\s$/.test(code)) page.out.space();
}

/** A code span (CommonMark 6.1): a fence longer than any run of backticks inside. */
function codeSpan(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** The text of code with its line breaks, without the numbers of its lines and empty lines around it. */
function codeText(element: ElementNode): string {
  return rawText(element)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

function rawText(element: ElementNode): string {
  const parts: string[] = [];
  collect(element, parts);
  return parts.join('');
}

function collect(element: ElementNode, parts: string[]): void {
  for (const child of element.children) {
    if (child.kind === 'text') {
      parts.push(child.text);
    } else if (child.name === 'br') {
      parts.push('\n');
    } else if (!child.hidden && !isGutter(child)) {
      const block = isLine(child);
      if (block) startLine(parts);
      collect(child, parts);
      if (block) startLine(parts);
    }
  }
}

function isLine({ name }: ElementNode): boolean {
  return name !== 'td' && name !== 'th' && isBlock(name);
}

function startLine(parts: string[]): void {
  const last = parts.at(-1);
  if (last !== undefined && !last.endsWith('\n')) parts.push('\n');
}

/** Whether an element holds line numbers: it says so, and there is nothing else in it. */
export function isGutter(element: ElementNode): boolean {
  const name = element.attributes.class;
  return name !== undefined && GUTTER.test(name) && /^[\d\s.:|]*$/.test(textOf(element));
}

/** Whether there is nothing but numbers, each one more than the last: beside code in a table they number its lines. */
function isNumbering(code: string): boolean {
  const numbers = code.trim().split(/\s+/).map(Number);
  return numbers.length > 1 && numbers.every((number, index) => number === (numbers[0] ?? Number.NaN) + index);
}

function isInCell(element: ElementNode): boolean {
  let box = element.parent;
  for (let level = 0; box !== null && level < MAX_BOXES; level++, box = box.parent) {
    if (box.name === 'td' || box.name === 'th') return true;
  }
  return false;
}
