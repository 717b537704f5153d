import type { ElementNode } from '../tree.ts';
import { writeCode } from './code.ts';
import { languageOf } from './code-language.ts';
import { codeText, isGutter, isNamedLine } from './code-text.ts';
import type { Renderer } from './renderer.ts';

/** Classes of boxes around lines of code without a `<pre>`: Doxygen, SyntaxHighlighter, Crayon, GitHub, editors. */
const BOX =
  /(?:^|\s)(?:fragment|syntaxhighlighter|crayon-pre|react-code-lines|CodeMirror-code|cm-content|ace_text-layer|view-lines)(?:\s|$)/i;
/** Classes of other boxes, in which every element must be a line. */
const CODE = /(?:^|[\s_-])(?:code|highlight|source|snippet)(?:$|[\s_-])/i;
/** Classes of cells that hold a line of code: GitHub, Gitea, GitLab, highlight.js. */
const CODE_CELL =
  /(?:^|\s)(?:blob-code|lines-code|line-code|code-line|line_content|hljs-ln-code|js-file-line)(?:\s|$)/i;
/** Tables of code whose cells have no such class: Trac, old browsers of repositories. */
const CODE_TABLE = /(?:^|\s)(?:code|blob)(?:\s|$)/i;
/** Boxes between a box of lines and the first line, tables among them. */
const MAX_DEPTH = 6;
/** Boxes between lines and the one that says that they are code. */
const MAX_BOXES = 3;

/** Whether an element with that class holds nothing but lines of code, each an element of its own. */
export function isBoxOfLines(element: ElementNode, names: string | undefined): boolean {
  if (element.name !== 'div') return false;
  const { children } = element;
  const first = children[0]?.kind === 'text' ? children[1] : children[0];
  if (first?.kind !== 'element' || (first.name !== 'div' && first.name !== 'table')) return false;
  if (isLine(first) && (isNumbered(first) || isInCode(element))) {
    return children.every((child) => (child.kind === 'text' ? child.text.trim() === '' : isLine(child)));
  }
  return names !== undefined && BOX.test(names) && holdsLine(element, MAX_DEPTH);
}

function holdsLine(element: ElementNode, depth: number): boolean {
  return element.children.some(
    (child) => child.kind === 'element' && (isNamedLine(child) || (depth > 0 && holdsLine(child, depth - 1))),
  );
}

/** gitweb's lines are called `pre`, and begin with their number. */
function isLine(element: ElementNode): boolean {
  if (element.name !== 'div') return false;
  const name = element.attributes.class;
  return name === 'pre' ? isNumbered(element) : name?.includes('line') === true && isNamedLine(element);
}

function isNumbered(line: ElementNode): boolean {
  const first = line.children.find((child) => child.kind === 'element');
  return first !== undefined && first.textLength > 0 && isGutter(first);
}

function isInCode(element: ElementNode): boolean {
  let box: ElementNode | null = element;
  for (let level = 0; box !== null && level <= MAX_BOXES; level++, box = box.parent) {
    if (CODE.test(box.attributes.class ?? '')) return true;
  }
  return false;
}

/** A table with a line of code in each row, as a block of code. @returns false for other tables */
export function renderCodeTable(
  table: ElementNode,
  rows: readonly (readonly ElementNode[])[],
  page: Renderer,
): boolean {
  const cells = namedCells(rows) ?? numberedCells(table, rows);
  const [first] = cells ?? [];
  if (cells === null || first === undefined) return false;
  const code = cells.map((cell) => textOfLine(cell, page)).join('\n');
  writeCode(code.trimEnd(), languageOf(first, page), page);
  return true;
}

/** The cell of each row that is called a line of code; null when one row has none. */
function namedCells(rows: readonly (readonly ElementNode[])[]): ElementNode[] | null {
  const cells: ElementNode[] = [];
  for (const row of rows) {
    const cell = row.findLast(({ attributes }) => CODE_CELL.test(attributes.class ?? ''));
    if (cell !== undefined) cells.push(cell);
    else if (row.length > 0) return null;
  }
  return cells;
}

/** The second cell of each row where the first ones count the rows of a table that is called code. */
function numberedCells(table: ElementNode, rows: readonly (readonly ElementNode[])[]): ElementNode[] | null {
  if (!CODE_TABLE.test(table.attributes.class ?? '')) return null;
  const cells: ElementNode[] = [];
  let expected = Number.NaN;
  for (const [number, cell, ...others] of rows) {
    if (number === undefined || cell === undefined || others.length > 0 || number.textLength > 7) return null;
    const value = Number(codeText(number, () => false).trim() || Number.NaN);
    if (!Number.isInteger(value) || (cells.length > 0 && value !== expected)) return null;
    expected = value + 1;
    cells.push(cell);
  }
  return cells;
}

/** White space with line breaks around the only element in the cell is the page's, not the code's. */
function textOfLine(cell: ElementNode, page: Renderer): string {
  const others = cell.children.filter((child) => child.kind === 'element' || !isLayoutSpace(child.text));
  const [only] = others;
  const line = others.length === 1 && only?.kind === 'element' ? only : cell;
  return codeText(line, page.isCodeLabel).replaceAll('\n', ' ');
}

function isLayoutSpace(text: string): boolean {
  return text.includes('\n') && text.trim() === '';
}
