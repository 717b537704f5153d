import { HIDING_STYLE } from '../../tree/hiding.ts';
import { HIDDEN, INLINE, MUTED } from '../../tree/tags.ts';
import type { ElementNode, PageTree } from '../../tree.ts';
import { walkElements } from '../../walk.ts';
import { latinDigits } from '../price.ts';
import { BoxNames, Name } from './box-names.ts';

/** The most elements to read. Real shop pages show up to 20,000. */
const MAX_BOXES = 200_000;
/** The most characters to keep of a line. Labels, amounts and titles are shorter. */
const MAX_LINE = 600;
/** The most characters in an amount that is split into blocks: `<div>$</div><div>34</div><div>99</div>`. */
const MAX_SPLIT_PRICE = 16;
const MAX_DECIMALS = 8;
/** Decimals in an element of their own, with their separator: `<b>34</b><i>.99</i>`. */
const DECIMALS = /^\s*[.,]\d\d\s*$/;
/** Inserted as decimal separator where the page marks cents only by their size. */
export const RAISED_DECIMAL = '\u2396';

/** Letters of scripts that put spaces between words, and digits. */
const WORD_END = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]$/u;
const WORD_START = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
/** An amount that already has its cents, so no digits can follow. */
const WHOLE_AMOUNT = /[.,\u2396]\d\d$/;

const WHOLE_NUMBER = /(?:^|[^\d.,])\d{1,3}(?:[.,]?\d{3}){0,3}$/;
const SIGNED_NUMBER = /[$€£]\s?[\d.,]+$/;

const STRIKING = new Set(['del', 's', 'strike']);
const STRIKING_STYLE = /text-decoration[a-z-]*\s*:[^;]*line-through/i;

/** A visible element. */
export interface Box {
  readonly element: ElementNode;
  readonly parent: Box | undefined;
  /** Bits of `Name`. */
  readonly names: number;
  readonly isStruck: boolean;
  /** How many characters of shown text come before its start and before its end. */
  readonly start: number;
  end: number;
}

/** Text without a line break. */
export interface Line {
  text: string;
  /** The innermost element around all of it. */
  box: Box;
  /** How many characters of shown text come before it. */
  start: number;
  /** The positions in the text where another element's text begins. */
  runs: { at: number; box: Box }[];
}

/** The visible content of a page, in document order. */
export interface PageBoxes {
  root: Box;
  lines: Line[];
  /** First-level headings. */
  headings: Box[];
  body: Box | undefined;
  /** Buttons and elements that may look like one: links, and elements named like buttons. */
  controls: Box[];
  links: Box[];
  images: Box[];
}

/**
 * Reads the visible content of a page. If no heading is visible, the page is waiting for its script, so the elements
 * around hidden headings are read as well.
 */
export function readBoxes({ root }: PageTree): PageBoxes {
  const page = new BoxReader(root, NOTHING).read();
  if (page.headings.some(({ start, end }) => end > start)) return page;
  const waiting = aroundHiddenHeadings(root);
  return waiting.size > 0 ? new BoxReader(root, waiting).read() : page;
}

const NOTHING: ReadonlySet<ElementNode> = new Set();

function aroundHiddenHeadings(root: ElementNode): Set<ElementNode> {
  const around = new Set<ElementNode>();
  walkElements(root.children, (element) => {
    if ((element.bits & (HIDDEN | MUTED)) !== 0) return false;
    if (element.name === 'h1')
      for (let outer: ElementNode | null = element; outer && !around.has(outer); outer = outer.parent)
        around.add(outer);
    return true;
  });
  return around;
}

class BoxReader {
  readonly #names = new BoxNames();
  readonly #shown: ReadonlySet<ElementNode>;
  readonly #page: PageBoxes;
  #count = 0;
  #offset = 0;
  #line: Line;

  /** @param shown elements to read although the source hides them */
  constructor(root: ElementNode, shown: ReadonlySet<ElementNode>) {
    this.#shown = shown;
    const box: Box = { element: root, parent: undefined, names: 0, isStruck: false, start: 0, end: 0 };
    this.#page = {
      root: box,
      body: undefined,
      lines: [],
      headings: [],
      controls: [],
      links: [],
      images: [],
    };
    this.#line = { text: '', box, start: 0, runs: [] };
  }

  read(): PageBoxes {
    this.#readInside(this.#page.root, false);
    this.#endLine(this.#page.root);
    return this.#page;
  }

  /** @param isJoined whether blocks continue the line instead of ending it */
  #readInside(box: Box, isJoined: boolean): void {
    const isSpelledOut = hasSpokenNumber(box.element);
    for (const child of box.element.children) {
      if (child.kind === 'text') this.#addText(child.text, box);
      else if (this.#count < MAX_BOXES && (this.#isShown(child) || (isSpelledOut && isHiddenFromReaders(child))))
        this.#readElement(child, box, isJoined);
    }
    box.end = this.#offset;
  }

  #readElement(element: ElementNode, parent: Box, isJoined: boolean): void {
    this.#count++;
    const { name, attributes, bits } = element;
    const names = this.#names.read(element);
    const isStruck = STRIKING.has(name) || STRIKING_STYLE.test(attributes.style ?? '');
    const box: Box = { element, parent, names, isStruck, start: this.#offset, end: this.#offset };
    this.#sort(box);
    if ((bits & MUTED) !== 0) return;
    if ((bits & INLINE) !== 0) {
      if (isCents(box)) this.#raise(element);
      this.#readInside(box, isJoined);
      return;
    }
    const isSplitPrice = isJoined || ((names & Name.Price) !== 0 && element.textLength <= MAX_SPLIT_PRICE);
    if (!isJoined) this.#endLine(parent);
    else if (isCents(box)) this.#raise(element);
    else if (!this.#isUnfinishedAmount() && !DECIMALS.test(textIn(element, MAX_DECIMALS))) this.#endLine(parent);
    this.#readInside(box, isSplitPrice);
    if (!isJoined) this.#endLine(box);
  }

  #isShown(element: ElementNode): boolean {
    return !element.hidden || this.#shown.has(element);
  }

  #sort(box: Box): void {
    const { name, attributes } = box.element;
    const page = this.#page;
    switch (name) {
      case 'h1':
        page.headings.push(box);
        break;
      case 'button':
        page.controls.push(box);
        break;
      case 'a':
        if (attributes.href !== undefined) page.links.push(box);
        page.controls.push(box);
        break;
      case 'img':
      case 'amp-img':
        page.images.push(box);
        break;
      case 'input':
        if (isButton(attributes.type)) page.controls.push(box);
        break;
      case 'body':
        page.body ??= box;
        break;
      default:
        if (attributes.role === 'button' || (box.names & Name.Buy) !== 0) page.controls.push(box);
    }
  }

  /** Collapses each run of white space into one space. */
  #addText(source: string, box: Box): void {
    const line = this.#line;
    const text = source.slice(0, 4 * MAX_LINE).replace(/\s+/g, ' ');
    const added = line.text === '' || line.text.endsWith(' ') ? text.trimStart() : text;
    if (added === '') return;
    if (line.text === '') line.start = this.#offset;
    this.#offset += added.length;
    if (line.text.length >= MAX_LINE) return;
    // A label and its value may be in adjacent elements: `<b>Brand</b><i>Acme</i>`.
    if (isUnmarkedCents(line, added, box)) line.text += RAISED_DECIMAL;
    else if (isApart(line.text, added)) line.text += ' ';
    line.runs.push({ at: line.text.length, box });
    line.text += latinDigits(added).slice(0, MAX_LINE - line.text.length);
  }

  /** Inserts a decimal separator between an amount and cents that follow it without one. */
  #raise(element: ElementNode): void {
    const [only] = element.children;
    const isDigits = only?.kind === 'text' && element.children.length === 1 && /^\s*\d\d\s*$/.test(only.text);
    if (isDigits && /\d\s?$/.test(this.#line.text)) this.#line.text = `${this.#line.text.trimEnd()}${RAISED_DECIMAL}`;
  }

  /** Whether the line ends with a currency sign or a decimal separator. */
  #isUnfinishedAmount(): boolean {
    return /^[^\d]{1,4}$|\d[.,]$/.test(this.#line.text);
  }

  #endLine(box: Box): void {
    const line = this.#line;
    line.text = line.text.trimEnd();
    line.box = aroundLine(line, box);
    if (line.text !== '') this.#page.lines.push(line);
    this.#line = { text: '', box, start: this.#offset, runs: [] };
  }
}

/**
 * The innermost element around a line.
 * @param block the block that contains the line and is still open
 */
function aroundLine({ start, text, runs }: Line, block: Box): Box {
  for (const box of outward(runs[0]?.box)) {
    if (box === block) break;
    if (box.start <= start && box.end >= start + text.length) return box;
  }
  return block;
}

/** Whether two digits in their own element are the cents of the amount before them: `$<b>34</b><i>98</i>`. */
function isUnmarkedCents({ text, runs }: Line, added: string, box: Box): boolean {
  if (!/^\d\d$/.test(added) || !WHOLE_NUMBER.test(text) || runs.at(-1)?.box === box) return false;
  return SIGNED_NUMBER.test(text) || ((box.names | (box.parent?.names ?? 0)) & Name.Price) !== 0;
}

/** Whether text in an element of its own is a separate word from the text before it. */
function isApart(before: string, behind: string): boolean {
  if (!WORD_END.test(before) || !WORD_START.test(behind)) return false;
  // Adjacent digits form one amount, unless the amount already has its cents.
  return !/\d$/.test(before) || !/^\d/.test(behind) || WHOLE_AMOUNT.test(before);
}

/**
 * Whether an element shows a number only to the eye and spells it out for screen readers: `<p aria-label="$34.99"><span
 * aria-hidden="true">$34…`.
 */
function hasSpokenNumber({ attributes, textLength }: ElementNode): boolean {
  return textLength === 0 && /\d/.test(attributes['aria-label'] ?? '');
}

function isHiddenFromReaders({ attributes }: ElementNode): boolean {
  return attributes['aria-hidden'] === 'true' && !HIDING_STYLE.test(attributes.style ?? '');
}

function isButton(type = ''): boolean {
  return /^(?:submit|button|image)$/i.test(type);
}

function isCents({ element, names }: Box): boolean {
  return element.name === 'sup' || (names & Name.Cents) !== 0;
}

/** The visible text of an element, with white space collapsed. For a control without text, its label. */
export function shownText({ element }: Box, limit = 200): string {
  const text = textIn(element, limit).replace(/\s+/g, ' ').trim();
  if (text !== '') return text.slice(0, limit);
  const { 'aria-label': label, value, title, alt } = element.attributes;
  return (label ?? value ?? title ?? alt ?? '').replace(/\s+/g, ' ').trim().slice(0, limit);
}

function textIn(element: ElementNode, limit: number): string {
  let text = '';
  for (const child of element.children) {
    if (text.length >= limit) break;
    if (child.kind === 'text') text += child.text.slice(0, 4 * limit);
    else if (!child.hidden && (child.bits & MUTED) === 0) {
      const inner = textIn(child, limit - text.length);
      text += (child.bits & INLINE) !== 0 ? inner : ` ${inner} `;
    }
  }
  return text;
}

/** The element that the character at `index` belongs to. */
export function boxAt({ runs, box }: Line, index: number): Box {
  let found = box;
  for (const run of runs) {
    if (run.at > index) break;
    found = run.box;
  }
  return found;
}

export function* outward(box: Box | undefined): Generator<Box> {
  for (let outer = box; outer !== undefined; outer = outer.parent) yield outer;
}
