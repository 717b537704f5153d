import { isBlock } from '../tree/tags.ts';
import type { ElementNode, TreeNode } from '../tree.ts';
import { textOf } from '../walk.ts';

/** Classes of elements that number lines. */
const GUTTER = /(?:^|[\s_-])(?:gutter|line-?n(?:o(?:s|div)?|r)|lines?-?num(?:ber)?s?|lnt?|nums|blob-num)(?:$|[\s_-])/i;
const LINE_NUMBERS = /(?:^|[\s_-])line-?num(?:ber)?s?(?:$|[\s_-])/i;
/** Classes of elements that each show as one line only by their style: `line`, `token-line`, `cm-line`. */
const LINE = /(?:^|\s)(?:[\w-]*[-_])?line(?:\s|$)/i;
/** Classes of elements that copy the code when clicked. Their text is short. */
const COPY = /(?:^|[\s_-])(?:copy|copied|copy-?(?:btn|button|code)|(?:zero)?clipboard)(?:$|[\s_-])/i;
const MAX_COPY = 30;
/** Characters that appear in file names, but not in the text of a copy button. */
const OF_FILES = /[\d./_]/;
/** Classes of other elements among the lines: SyntaxHighlighter's question mark, Doxygen's tooltips. */
const BESIDE_LINES = /(?:^|\s)(?:toolbar|ttc)(?:\s|$)/i;
const CONTROLS = new Set('button clipboard-copy input option script select style svg template textarea'.split(' '));
const BLANK = /^[ \u00a0]+$/;
const CELLS = new Set(['td', 'th']);

/**
 * The text of code with its line breaks, without line numbers, controls, and empty lines at either end.
 * @param isLabel whether an element is a label that names the language
 */
export function codeText(element: ElementNode, isLabel: (element: ElementNode) => boolean): string {
  return rawCodeText(element, isLabel)
    .replaceAll('\u00a0', ' ')
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** The same, but spaces and empty lines are left as they are. */
export function rawCodeText(element: ElementNode, isLabel: (element: ElementNode) => boolean): string {
  const lines = new CodeLines(isLabel);
  lines.addChildren(element);
  return lines.text;
}

/** Whether an element holds line numbers: its class says so, and it holds nothing else. */
export function isGutter(element: ElementNode): boolean {
  const name = element.attributes.class;
  return name !== undefined && GUTTER.test(name) && !/-code\b/.test(name) && /^[\d\s.:|]*$/.test(textOf(element));
}

/** The same outside code, where an element called a gutter may be the space between two columns. */
export function isNumbersOfLines(element: ElementNode, names: string): boolean {
  return element.textLength > 0 && names.includes('line') && LINE_NUMBERS.test(names) && isGutter(element);
}

/** Whether an element is there to be clicked: a button, or another element that copies the code. */
export function isControl(element: ElementNode): boolean {
  return CONTROLS.has(element.name) || element.attributes.role === 'button' || copiesCode(element);
}

/** Whether an element copies the code when clicked. It need not be a button. */
export function copiesCode(element: ElementNode): boolean {
  const { textLength, attributes } = element;
  if (textLength > MAX_COPY || !COPY.test(attributes.class ?? '')) return false;
  return !OF_FILES.test(textOf(element, MAX_COPY));
}

/** Whether the class or an attribute of an element says that it is a line of code. */
export function isNamedLine({ attributes }: ElementNode): boolean {
  return LINE.test(attributes.class ?? '') || attributes.get('data-line') !== undefined;
}

/** How an element relates to the lines: it is a line, it starts and ends one as a block does, or it is part of one. */
type Place = 'line' | 'block' | 'inline';

function placeOf(element: ElementNode): Place {
  const { name } = element;
  if (CELLS.has(name)) return 'inline';
  return name === 'li' || name === 'tr' || isNamedLine(element) ? 'line' : isBlock(name) ? 'block' : 'inline';
}

class CodeLines {
  /** Lines that are complete, with their breaks. */
  readonly #done: string[] = [];
  #line = '';
  /** What ended since the last text. Its line break is written once something follows, unless that begins with one. */
  #ended: 'nothing' | 'span' | 'block' = 'nothing';
  readonly #isLabel: (element: ElementNode) => boolean;

  constructor(isLabel: (element: ElementNode) => boolean) {
    this.#isLabel = isLabel;
  }

  get text(): string {
    return this.#done.join('') + this.#line;
  }

  addChildren(element: ElementNode): void {
    this.#addMarker(element);
    const linesOnly = element.name === 'pre' && areLines(element.children);
    for (const child of element.children) {
      if (child.kind === 'text') this.#addText(child.text);
      else if (child.name === 'br') this.#addBreak();
      else if (!this.#isLeftOut(child)) this.#addElement(child, linesOnly ? 'line' : placeOf(child));
    }
  }

  #isLeftOut(element: ElementNode): boolean {
    if (element.hidden || isGutter(element) || isControl(element) || this.#isLabel(element)) return true;
    return BESIDE_LINES.test(element.attributes.class ?? '');
  }

  #addElement(element: ElementNode, place: Place): void {
    if (place === 'inline') {
      this.addChildren(element);
      return;
    }
    const ended = isBlock(element.name) ? 'block' : 'span';
    this.#startLine(ended);
    const { length } = this.#done;
    const indent = this.#line.length;
    this.addChildren(element);
    const isOneLine = this.#done.length === length;
    // Doxygen and others write a space into an empty line.
    if (isOneLine && place === 'line' && BLANK.test(this.#line.slice(indent))) this.#line = this.#line.slice(0, indent);
    if (isOneLine && this.#line.length === indent && this.#ended === 'nothing' && place === 'block') return;
    // The element already holds the break that ends its line.
    if (!isOneLine && this.#line === '' && this.#ended === 'nothing') return;
    if (this.#ended !== 'block') this.#ended = ended;
  }

  /** Adds GitHub's sign in front of a line of a diff. */
  #addMarker({ attributes }: ElementNode): void {
    const marker = attributes.get('data-code-marker');
    if (marker === '+' || marker === '-' || marker === ' ') this.#addText(marker);
  }

  #addText(source: string): void {
    // Browsers do not show white space between two blocks.
    if (source === '' || (this.#ended === 'block' && source.trim() === '')) return;
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
    if (this.#ended !== 'nothing' && !text.startsWith('\n')) this.#endLine();
    this.#ended = 'nothing';
    const rest = text.lastIndexOf('\n') + 1;
    if (rest > 0) this.#done.push(this.#line, text.slice(0, rest));
    this.#line = rest > 0 ? text.slice(rest) : this.#line + text;
  }

  #addBreak(): void {
    if (this.#ended === 'block') this.#endLine();
    this.#ended = 'nothing';
    this.#endLine();
  }

  #endLine(): void {
    this.#done.push(this.#line, '\n');
    this.#line = '';
  }

  /** An indent before a line stays with it. Before a block it would be a line of its own, so it is dropped. */
  #startLine(kind: 'span' | 'block'): void {
    if (this.#ended !== 'nothing' || this.#line.trim() !== '') this.#endLine();
    else if (kind === 'block') this.#line = '';
    this.#ended = 'nothing';
  }
}

/** Whether the nodes are several `<code>` of one class and nothing else between them. Each is then a line. */
function areLines(nodes: readonly TreeNode[]): boolean {
  const [first] = nodes;
  if (first?.kind !== 'element' || first.name !== 'code' || nodes.length === 1) return false;
  const name = first.attributes.class;
  return nodes.every((node) => node.kind === 'element' && node.name === 'code' && node.attributes.class === name);
}
