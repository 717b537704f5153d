import { isBlock } from '../tree/tags.ts';
import type { ElementNode, TreeNode } from '../tree.ts';
import { textOf } from '../walk.ts';

/** Classes of elements that number lines. */
const GUTTER = /(?:^|[\s_-])(?:gutter|line-?n(?:o(?:s|div)?|r)|lines?-?num(?:ber)?s?|lnt?|nums|blob-num)(?:$|[\s_-])/i;
/** Classes of elements that are one line each, though nothing but style says so: `line`, `token-line`, `cm-line`. */
const LINE = /(?:^|\s)(?:[\w-]*[-_])?line(?:\s|$)/i;
/** Of what one clicks, as its text says in few letters. */
const CONTROL = /(?:^|[\s_-])(?:copy|copied|copy-?(?:btn|button|code)|(?:zero)?clipboard|toolbar)(?:$|[\s_-])/i;
const MAX_CONTROL = 30;
/** Doxygen's tooltips, which stand behind the lines. */
const TOOLTIP = /(?:^|\s)ttc(?:\s|$)/;
const CONTROLS = new Set('button clipboard-copy input option script select style svg template textarea'.split(' '));
const CELLS = new Set(['td', 'th']);

/**
 * The text of code with its line breaks, without the numbers of its lines, what there is to click, and empty lines
 * around it.
 * @param isLabel whether an element says what the language is
 */
export function codeText(element: ElementNode, isLabel: (element: ElementNode) => boolean): string {
  return rawCodeText(element, isLabel)
    .replaceAll('\u00a0', ' ')
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** The same as it stands there. */
export function rawCodeText(element: ElementNode, isLabel: (element: ElementNode) => boolean): string {
  const lines = new CodeLines(isLabel);
  lines.addChildren(element);
  return lines.text;
}

/** Whether an element holds line numbers: it says so, and there is nothing else in it. */
export function isGutter(element: ElementNode): boolean {
  const name = element.attributes.class;
  return name !== undefined && GUTTER.test(name) && !/-code\b/.test(name) && /^[\d\s.:|]*$/.test(textOf(element));
}

/** What one clicks or points at: buttons, other elements that copy the code, tooltips. */
export function isControl({ name, attributes, textLength }: ElementNode): boolean {
  if (CONTROLS.has(name) || attributes.role === 'button') return true;
  const names = attributes.class;
  return names !== undefined && (TOOLTIP.test(names) || (textLength <= MAX_CONTROL && CONTROL.test(names)));
}

/** Whether an element is a line of code by what it is called. */
export function isNamedLine({ attributes }: ElementNode): boolean {
  return LINE.test(attributes.class ?? '') || attributes.get('data-line') !== undefined;
}

/** How an element stands among the lines: it is one, it starts and ends one as blocks do, or it is within one. */
type Place = 'line' | 'block' | 'inline';

function placeOf(element: ElementNode): Place {
  const { name } = element;
  if (CELLS.has(name)) return 'inline';
  return name === 'li' || name === 'tr' || isNamedLine(element) ? 'line' : isBlock(name) ? 'block' : 'inline';
}

class CodeLines {
  text = '';
  /** What ended since the last text: the break behind it is written when something follows, and may stand there already. */
  #ended: 'nothing' | 'span' | 'block' = 'nothing';
  readonly #isLabel: (element: ElementNode) => boolean;

  constructor(isLabel: (element: ElementNode) => boolean) {
    this.#isLabel = isLabel;
  }

  addChildren(element: ElementNode): void {
    this.#addMarker(element);
    const linesOnly = element.name === 'pre' && areLines(element.children);
    for (const child of element.children) {
      if (child.kind === 'text') this.#addText(child.text);
      else if (child.name === 'br') this.#addBreak();
      else if (!child.hidden && !isGutter(child) && !isControl(child) && !this.#isLabel(child))
        this.#addElement(child, linesOnly ? 'line' : placeOf(child));
    }
  }

  #addElement(element: ElementNode, place: Place): void {
    if (place === 'inline') {
      this.addChildren(element);
      return;
    }
    this.#startLine();
    const start = this.text.length;
    this.addChildren(element);
    const isEmpty = this.text.length === start && this.#ended === 'nothing';
    if (isEmpty ? place === 'block' : this.text.length > start && this.text.endsWith('\n')) return;
    if (this.#ended !== 'block') this.#ended = isBlock(element.name) ? 'block' : 'span';
  }

  /** GitHub's signs before the lines of a comparison. */
  #addMarker({ attributes }: ElementNode): void {
    const marker = attributes.get('data-code-marker');
    if (marker === '+' || marker === '-' || marker === ' ') this.#addText(marker);
  }

  #addText(source: string): void {
    // White space between two blocks is not shown.
    if (source === '' || (this.#ended === 'block' && source.trim() === '')) return;
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
    if (this.#ended !== 'nothing' && !text.startsWith('\n')) this.text += '\n';
    this.#ended = 'nothing';
    this.text += text;
  }

  #addBreak(): void {
    if (this.#ended === 'block') this.text += '\n';
    this.#ended = 'nothing';
    this.text += '\n';
  }

  #startLine(): void {
    if (this.#ended !== 'nothing' || (this.text !== '' && !this.text.endsWith('\n'))) this.text += '\n';
    this.#ended = 'nothing';
  }
}

/** Whether these are several `<code>` of one kind and nothing else: a line each. */
function areLines(nodes: readonly TreeNode[]): boolean {
  const [first, ...others] = nodes.filter((node) => node.kind === 'element' || node.text.trim() !== '');
  if (first?.kind !== 'element' || first.name !== 'code' || others.length === 0) return false;
  const name = first.attributes.class;
  return others.every((node) => node.kind === 'element' && node.name === 'code' && node.attributes.class === name);
}
