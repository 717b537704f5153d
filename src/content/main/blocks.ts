import { HEADING, INLINE, MUTED } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { isBoilerplate, isSkipped } from './boilerplate.ts';
import { partsOfTag } from './element-parts.ts';
import { type LikeSiblings, markLikeSiblings } from './like-siblings.ts';
import { LineReader } from './line-reader.ts';
import type { Model } from './model.ts';
import { type NameEvidence, NamesReader } from './names.ts';
import { Part } from './vocabulary.ts';

const SECTIONS = new Set(['article', 'main', 'section']);

/** Shorter lines are labels, names and titles. */
const MIN_PROSE = 80;
const MAX_PROSE_LINKS = 0.4;

const MAX_SIGNATURE = 300;

const CHARACTERS_PER_WORD = 6;

/**
 * An element that is not part of a line. Its own line is its text outside the blocks below it. Sizes are characters of
 * visible text, where one of a script that writes a word in one to three of them counts as 2.5.
 */
export class Block {
  readonly element: ElementNode;
  readonly parent: Block | undefined;
  readonly children: Block[] = [];
  readonly depth: number;
  /** Bits of `Part` derived from its names. */
  readonly parts: number;
  readonly names: readonly NameEvidence[];
  /** The summed evidence of all different names on it and around it. */
  readonly outerNames: number;
  /** The names on the inline element that makes up most of the line. */
  inlineNames: readonly NameEvidence[] = [];
  /** Whether the block, or one that contains it, is boilerplate by its name. */
  readonly isNamedBoilerplate: boolean;
  /**
   * Everything in it counts as its own line, unread, and is not content. 40 % of the lines of a page are in such
   * blocks.
   */
  readonly isSkipped: boolean;
  readonly isHeading: boolean;

  /** Of the line. */
  size = 0;
  linkSize = 0;
  words = 0;
  commas = 0;
  digits = 0;
  capitals = 0;
  currencies = 0;
  links = 0;
  inlines = 0;
  firstCode = 0;
  lastCode = 0;
  /** Lines with the same text have the same hash. */
  hash = 0;
  /** Of the words of a short line. */
  wordHashes: readonly number[] = [];
  isProse = false;
  isKept = false;

  /** In and below the block. */
  text = 0;
  link = 0;
  prose = 0;
  /** Prose and text outside links that are not boilerplate by name. */
  unnamedProse = 0;
  unnamedText = 0;
  lines = 0;
  /** The index of the first of those lines. */
  firstLine = 0;

  /** The siblings with the same structure, including itself. */
  likeSiblings: LikeSiblings | undefined;
  likeIndex = 0;

  constructor(
    element: ElementNode,
    parent: Block | undefined,
    parts: number,
    names: readonly NameEvidence[],
    isNamedBoilerplate: boolean,
    isSkipped: boolean,
  ) {
    this.element = element;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.parts = parts;
    this.names = names;
    this.outerNames = parent?.outerNames ?? 0;
    for (const name of names) if (name.open === 0) this.outerNames += name.outer;
    this.isNamedBoilerplate = isNamedBoilerplate;
    this.isSkipped = isSkipped;
    this.isHeading = (element.bits & HEADING) !== 0;
  }

  holds(line: number): boolean {
    return line >= this.firstLine && line < this.firstLine + this.lines;
  }
}

/** The visible part of a page: its blocks, and those of them that have a line, in document order. */
export interface PageBlocks {
  root: Block;
  lines: readonly Block[];
}

/** Whether an element counts as part of the page: it is shown and contains text to read. */
export function isShown(element: ElementNode): boolean {
  return !element.hidden && (element.bits & MUTED) === 0;
}

export function isInline({ bits }: ElementNode): boolean {
  return (bits & INLINE) !== 0;
}

/** @param aroundMain elements that are never boilerplate, whatever their names */
export function readBlocks(root: ElementNode, aroundMain: ReadonlySet<ElementNode>, model: Model): PageBlocks {
  const top = new Block(root, undefined, 0, [], false, false);
  new BlockReader(root, aroundMain, model).read(top);
  const lines: Block[] = [];
  measure(top, lines);
  return { root: top, lines };
}

/** Reads the elements of one page, from the top down. */
class BlockReader {
  readonly #aroundMain: ReadonlySet<ElementNode>;
  readonly #pageLength: number;
  readonly #names: NamesReader;
  readonly #line = new LineReader();

  constructor(root: ElementNode, aroundMain: ReadonlySet<ElementNode>, model: Model) {
    this.#aroundMain = aroundMain;
    this.#pageLength = Math.max(1, root.textLength);
    this.#names = new NamesReader(model.names);
  }

  read(block: Block): void {
    this.#readBlock(block, false, false);
  }

  #readBlock(block: Block, inLink: boolean, inSection: boolean): void {
    const outer = this.#line.start();
    for (const name of block.names) name.open++;
    this.#readInside(block.element, block, inLink, inSection);
    for (const name of block.names) name.open--;
    this.#line.finish(block, outer);
  }

  #skip(block: Block): void {
    this.#line.endWord();
    const { textLength, linkLength, commas } = block.element;
    block.size = textLength;
    block.linkSize = linkLength;
    block.words = textLength / CHARACTERS_PER_WORD;
    block.commas = commas;
  }

  #readInside(element: ElementNode, block: Block, inLink: boolean, inSection: boolean): void {
    for (const child of element.children) {
      if (child.kind === 'text') {
        this.#line.read(block, child.text, inLink);
      } else if (child.name === 'br') {
        this.#line.endWord();
      } else if (!isShown(child)) {
        // Readers never see it.
      } else if (isInline(child)) {
        const isLink = child.name === 'a' && child.attributes.href !== undefined;
        if (isLink) block.links++;
        block.inlines++;
        if (child.textLength > 0.5 * block.element.textLength) block.inlineNames = this.#names.read(child);
        this.#readInside(child, block, inLink || isLink, inSection);
      } else {
        const inner = this.#blockOf(child, block, inSection);
        block.children.push(inner);
        if (inner.isSkipped) this.#skip(inner);
        else this.#readBlock(inner, inLink, inSection || isSection(child));
      }
    }
  }

  #blockOf(element: ElementNode, parent: Block, inSection: boolean): Block {
    const names = this.#names.read(element);
    let parts = partsOfTag(element);
    for (const name of names) parts |= name.parts;
    if (element.name === 'header' && !inSection) parts |= Part.PageHeader;
    const isOwn = isBoilerplate(element, parts, this.#pageLength) && !this.#aroundMain.has(element);
    const isNamed = parent.isNamedBoilerplate || isOwn || isSignature(element, parts, parent);
    return new Block(element, parent, parts, names, isNamed, isOwn && isSkipped(element, parts));
  }
}

/** The signature of the author below a forum post. Elsewhere, documentation calls function headers signatures too. */
function isSignature({ textLength }: ElementNode, parts: number, parent: Block): boolean {
  if ((parts & Part.Signature) === 0 || textLength > MAX_SIGNATURE) return false;
  for (let block: Block | undefined = parent; block; block = block.parent) {
    if ((block.parts & Part.Post) !== 0) return true;
  }
  return false;
}

function isSection({ name, attributes: { role } }: ElementNode): boolean {
  return SECTIONS.has(name) || role === 'article' || role === 'main';
}

function measure(block: Block, lines: Block[]): void {
  block.firstLine = lines.length;
  if (block.size > 0) lines.push(block);
  block.isProse = block.size >= MIN_PROSE && block.linkSize < MAX_PROSE_LINKS * block.size;
  block.text = block.size;
  block.link = block.linkSize;
  block.prose = block.isProse ? block.size : 0;
  if (!block.isNamedBoilerplate) {
    block.unnamedProse = block.prose;
    block.unnamedText = block.size - block.linkSize;
  }
  for (const child of block.children) {
    measure(child, lines);
    block.text += child.text;
    block.link += child.link;
    block.prose += child.prose;
    block.unnamedProse += child.unnamedProse;
    block.unnamedText += child.unnamedText;
  }
  block.lines = lines.length - block.firstLine;
  markLikeSiblings(block.children);
}
