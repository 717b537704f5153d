import { fenced } from '../plain/fence.ts';
import type { ElementNode } from '../tree.ts';
import { languageOf, ownLanguageOf } from './code-language.ts';
import { codeText, isControl, isGutter, rawCodeText } from './code-text.ts';
import { renderLinked } from './links.ts';
import type { Renderer } from './renderer.ts';

/** How many boxes a highlighter may put between a table cell and the code, or between `<code>` and its line breaks. */
const MAX_BOXES = 3;
const KEEPS_BREAKS = /white-space\s*:\s*(?:pre|break-spaces)/i;

export function renderPre(element: ElementNode, page: Renderer): void {
  const variants = variantsOf(element, page);
  if (variants.length > 0) {
    for (const variant of variants) writeCode(textOf(variant, page), languageOf(variant, page), page);
    return;
  }
  const code = textOf(element, page);
  if (isGutter(element) || (isNumbering(code) && isInCell(element))) return;
  if (code.trim() !== '') writeCode(code, languageOf(element, page), page);
  // The block holds only an image or a form. Line numbers alone are left out.
  else if (element.textLength === 0) page.block(element);
}

/** Writes a code block. In a table cell or a heading, each line is a code span of its own. */
export function writeCode(code: string, language: string, page: Renderer): void {
  const { out } = page;
  out.block();
  if (out.flow === 'block') {
    out.lines(fenced(code, language).split('\n'));
  } else {
    for (const line of code.split('\n')) {
      out.block();
      out.code(line);
    }
  }
  out.block();
}

/** `<code>` and similar elements. With line breaks in it, it is a code block without a `<pre>`. */
export function renderCode(element: ElementNode, page: Renderer): void {
  const only = element.children.length === 1 ? element.children[0] : undefined;
  if (only?.kind === 'element' && only.name === 'a') {
    renderLinked(only, page, () => page.out.code(textOf(only, page)));
    return;
  }
  const code = rawCodeText(element, page.isCodeLabel);
  if (code.trim() === '') page.children(element);
  else if (isCodeBlock(element, code, page)) renderPre(element, page);
  else writeSpan(code, page);
}

function isCodeBlock(element: ElementNode, code: string, page: Renderer): boolean {
  if (page.out.flow !== 'block' || page.out.inLink || !code.includes('\n')) return false;
  return KEEPS_BREAKS.test(element.attributes.style ?? '') || hasBreak(element, MAX_BOXES);
}

function hasBreak(element: ElementNode, boxes: number): boolean {
  return element.children.some((child) => {
    if (child.kind === 'text') return false;
    return child.name === 'br' || child.name === 'pre' || (boxes > 0 && hasBreak(child, boxes - 1));
  });
}

function writeSpan(code: string, page: Renderer): void {
  if (/^\s/.test(code)) page.out.space();
  page.out.code(code);
  if (/\s$/.test(code)) page.out.space();
}

function textOf(element: ElementNode, page: Renderer): string {
  return codeText(element, page.isCodeLabel);
}

/**
 * Several `<code>` in one `<pre>` that are blocks of their own: the same code for two module systems or two languages.
 * If each is one line and all have the same class, they are the lines of one block. With text between them, they are
 * parts of a line.
 */
function variantsOf(pre: ElementNode, page: Renderer): ElementNode[] {
  const variants: ElementNode[] = [];
  for (const child of pre.children) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '') return [];
    } else if (child.name === 'code') {
      if (!child.hidden) variants.push(child);
    } else if (!child.hidden && !isControl(child) && !page.isCodeLabel(child)) {
      return [];
    }
  }
  if (variants.length < 2) return [];
  const codes = new Map(variants.map((variant) => [variant, textOf(variant, page)]));
  const shown = variants.filter((variant) => codes.get(variant) !== '' && !isNumbering(codes.get(variant) ?? ''));
  if (shown.length < 2) return shown;
  const classes = new Set(shown.map(({ attributes }) => attributes.class));
  const differ = classes.size === shown.length && shown.every((variant) => ownLanguageOf(variant) !== '');
  return differ || shown.some((variant) => codes.get(variant)?.includes('\n')) ? shown : [];
}

/** Whether the text is nothing but consecutive numbers. Beside code in a table, these are line numbers. */
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
