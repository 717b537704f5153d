import type { ElementNode } from '../tree.ts';
import { writeCode } from './code.ts';
import { languageOf } from './code-language.ts';
import { codeText, isGutter, isNamedLine } from './code-text.ts';
import type { Renderer } from './renderer.ts';

/** Classes of boxes around lines of code without a `<pre>`: Doxygen, SyntaxHighlighter, Crayon, GitHub, editors. */
const BOX =
  /(?:^|\s)(?:fragment|syntaxhighlighter|crayon-pre|react-code-lines|CodeMirror-code|cm-content|ace_text-layer|view-lines)(?:\s|$)/i;
/** Classes of other boxes. In these, every element must be a line. */
const CODE = /(?:^|[\s_-])(?:code|highlight|source|snippet)(?:$|[\s_-])/i;
/** Classes of cells that hold a line of code: GitHub, Gitea, GitLab, highlight.js. */
const CODE_CELL =
  /(?:^|\s)(?:blob-code|lines-code|line-code|code-line|line_content|hljs-ln-code|js-file-line)(?:\s|$)/i;
/** Classes of code tables whose cells have no such class: Trac, old repository browsers. */
const CODE_TABLE = /(?:^|\s)(?:code|blob)(?:\s|$)/i;
/** How many boxes may be between a box of lines and its first line, parts of tables included. */
const MAX_DEPTH = 6;
/** How many boxes may be between the lines and the box whose class says that they are code. */
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

/** Lines in gitweb have the class `pre` and begin with their number. */
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

/** Writes a table with a line of code in each row as a code block. @returns false for other tables */
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

/** The cell of each row whose class says that it is a line of code; null if a row has none. */
function namedCells(rows: readonly (readonly ElementNode[])[]): ElementNode[] | null {
  const cells: ElementNode[] = [];
  for (const row of rows) {
    const cell = row.findLast(({ attributes }) => CODE_CELL.test(attributes.class ?? ''));
    if (cell !== undefined) cells.push(cell);
    else if (row.length > 0) return null;
  }
  return cells;
}

/** The second cell of each row of a table with a code class whose first cells count the rows; null for other tables. */
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

/** White space with line breaks around the only element in a cell comes from the page's source, not from the code. */
function textOfLine(cell: ElementNode, page: Renderer): string {
  const others = cell.children.filter((child) => child.kind === 'element' || !isLayoutSpace(child.text));
  const [only] = others;
  const line = others.length === 1 && only?.kind === 'element' ? only : cell;
  return codeText(line, page.isCodeLabel).replaceAll('\n', ' ');
}

function isLayoutSpace(text: string): boolean {
  return text.includes('\n') && text.trim() === '';
}
