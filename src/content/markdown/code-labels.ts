import type { ElementNode, TreeNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { languageOfLabel } from './code-language.ts';
import { copiesCode, isControl } from './code-text.ts';

/** Classes of elements that name the language: `lang`, `code-lang`, `language-name`. */
const LABEL = /(?:^|[\s_-])(?:lang|language)(?:$|[\s_-])/i;
/** Classes of elements above or below code that may name the language, among other things. */
const HEADER =
  /(?:^|[\s_-])(?:toolbar|code-?(?:block-?)?(?:header|head|info|label|meta|title|type)|badge)(?:$|[\s_-])/i;
const LABEL_NAMES = new Set('b div em figcaption header i label p small span strong'.split(' '));
const COPY = /^(?:copy(?: code| to clipboard)?|copied)[!.]?$/i;

/** A longer label does not name a language, and a longer header says more than that. In characters. */
const MAX_LABEL = 20;
const MAX_HEADER = 60;
/** How many boxes may surround the code before its neighbour, or be nested inside that neighbour. */
const MAX_BOXES = 3;

/**
 * The labels of the page's code blocks that name the language, and the buttons that copy the code. They are beside the
 * block, above it or in it, and are not part of the text. Each parent is searched only once.
 */
export class CodeLabels {
  readonly #labels = new Set<ElementNode>();
  readonly #languages = new Map<ElementNode, string>();
  readonly #parents = new Set<ElementNode>();

  constructor(nodes: readonly TreeNode[]) {
    this.#findCode(nodes);
  }

  has(element: ElementNode): boolean {
    return this.#labels.size > 0 && this.#labels.has(element);
  }

  /** The language named by a label of the code, or '' if there is none. */
  languageOf(code: ElementNode): string {
    let box: ElementNode | null = code;
    for (let level = 0; box !== null && level <= MAX_BOXES; level++, box = box.parent) {
      const language = this.#languages.get(box);
      if (language !== undefined) return language;
    }
    return '';
  }

  #findCode(nodes: readonly TreeNode[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') continue;
      if (node.name === 'pre') this.#lookAround(node);
      if (node.hasCode) this.#findCode(node.children);
    }
  }

  #lookAround(pre: ElementNode): void {
    this.#lookInto(pre);
    let box: ElementNode | null = pre;
    for (let level = 0; box?.parent && level < MAX_BOXES; level++, box = box.parent) this.#lookThrough(box.parent);
  }

  /** Looks for a header inside the `<pre>`, beside its only `<code>`. */
  #lookInto(pre: ElementNode): void {
    const codes = pre.children.filter((child) => child.kind === 'element' && holdsCode(child, MAX_BOXES));
    if (codes.length !== 1) return;
    for (const child of pre.children) {
      if (child.kind === 'element' && child !== codes[0]) this.#takeLabels(child, pre, true);
    }
  }

  /** Gives every code block in the parent the labels right before and after it. */
  #lookThrough(parent: ElementNode): void {
    if (this.#parents.has(parent)) return;
    this.#parents.add(parent);
    const elements = parent.children.filter((child) => child.kind === 'element');
    for (const [index, element] of elements.entries()) {
      if (!holdsBlock(element)) continue;
      for (const step of [-1, 1]) {
        const next = elements[index + step];
        // There may be a button between the two.
        const other = next && (next.textLength === 0 || isControl(next)) ? elements[index + 2 * step] : next;
        if (other && !holdsBlock(other)) this.#takeLabels(other, element, false);
        if (next && next !== other) this.#takeLabels(next, element, false);
      }
    }
  }

  #takeLabels(header: ElementNode, code: ElementNode, isInCode: boolean): void {
    if (header.textLength === 0 || header.textLength > MAX_HEADER) return;
    const found = [...labelsIn(header, isInCode, MAX_BOXES)];
    const languages = found.filter(({ language }) => language !== null);
    // Several languages in one header are tabs.
    if (languages.length > 1) return;
    for (const { element } of found) this.#labels.add(element);
    const language = languages[0]?.language;
    if (language) this.#languages.set(code, language);
  }
}

interface Label {
  element: ElementNode;
  /** Null for a copy button. */
  language: string | null;
}

function* labelsIn(element: ElementNode, isInCode: boolean, boxes: number): Generator<Label> {
  const { name, textLength, attributes, parent } = element;
  if (textLength === 0 || element.hidden || !LABEL_NAMES.has(name)) return;
  if (textLength <= MAX_LABEL) {
    const text = textOf(element, MAX_LABEL + 1);
    if (copiesCode(element) || (COPY.test(text) && name !== 'p')) yield { element, language: null };
    const names = attributes.class ?? '';
    const isNamed = LABEL.test(names);
    const mayName = isNamed || isInCode || HEADER.test(names) || HEADER.test(parent?.attributes.class ?? '');
    const language = mayName ? languageOfLabel(text, isNamed) : null;
    if (language !== null) {
      yield { element, language };
      return;
    }
  }
  if (boxes === 0) return;
  for (const child of element.children) {
    if (child.kind === 'element') yield* labelsIn(child, isInCode, boxes - 1);
  }
}

function holdsBlock({ name, hasCode }: ElementNode): boolean {
  return name === 'pre' || hasCode;
}

function holdsCode(element: ElementNode, boxes: number): boolean {
  if (element.name === 'code') return true;
  return boxes > 0 && element.children.some((child) => child.kind === 'element' && holdsCode(child, boxes - 1));
}
