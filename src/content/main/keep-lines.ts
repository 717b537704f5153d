import type { ElementNode, TreeNode } from '../tree.ts';
import { type Block, isInline, isShown, type PageBlocks } from './blocks.ts';
import { Part } from './vocabulary.ts';

/** Parts of a list or a table, which say nothing without it. */
const TOO_SMALL = new Set('p li ul ol dl dt dd table thead tbody tr td th pre blockquote h1 h2 h3 h4 h5 h6'.split(' '));

/** Of a figure that is one picture with what it shows. */
const MAX_CAPTION_LINES = 3;

/**
 * Takes out of the tree what is no content, and gives the deepest element that holds what is left. Elements that
 * are not shown stay, because writers know what to do with them: formulas are in scripts.
 */
export function keepLines({ root, lines }: PageBlocks): readonly TreeNode[] {
  const kept = new KeptLines(lines);
  keepIn(root.element, root, kept, { next: 0 });
  let container = root;
  while (!container.isKept) {
    const [only, ...others] = container.children.filter((child) => kept.isLeft(child));
    if (!only || others.length > 0 || TOO_SMALL.has(only.element.name)) break;
    container = only;
  }
  return container === root ? root.element.children : [container.element];
}

/** @param cursor where in the children of `block` those begin that are below `element`: links and spans hold blocks too */
function keepIn(element: ElementNode, block: Block, kept: KeptLines, cursor: { next: number }): void {
  const { children } = element;
  let count = 0;
  for (const child of children) {
    if (child.kind === 'text') {
      if (block.size > 0 && !block.isKept) continue;
    } else if (isShown(child)) {
      const inner = block.children[cursor.next];
      if (inner?.element === child) {
        cursor.next++;
        if (!kept.isLeft(inner)) continue;
        keepIn(child, inner, kept, { next: 0 });
      } else if (isInline(child)) {
        const from = cursor.next;
        keepIn(child, block, kept, cursor);
        if (!kept.isLineLeft(block, from) && !block.children.slice(from, cursor.next).some((each) => kept.isLeft(each)))
          continue;
      }
    }
    children[count++] = child;
  }
  children.length = count;
}

class KeptLines {
  readonly #lines: readonly Block[];
  /** How many lines before each are kept. */
  readonly #before: Uint32Array;

  constructor(lines: readonly Block[]) {
    this.#lines = lines;
    this.#before = new Uint32Array(lines.length + 1);
    let count = 0;
    for (const [index, line] of lines.entries()) {
      if (line.isKept) count++;
      this.#before[index + 1] = count;
    }
  }

  /** Whether something of the block stays. */
  isLeft(block: Block): boolean {
    const hasKept = this.#before[block.firstLine] !== this.#before[block.firstLine + block.lines];
    return hasKept || ((isWordless(block) || isFigure(block)) && this.#isAmidContent(block));
  }

  /**
   * Whether links, pictures and marks in the block's own line stay: as its text does, if there is any.
   * @param next which child of the block comes after them
   */
  isLineLeft(block: Block, next: number): boolean {
    if (block.size > 0) return block.isKept;
    const figure = figureAround(block);
    if (figure) return this.isLeft(figure);
    if (block.lines === 0) return isWordless(block) && this.#isAmidContent(block);
    const behind = block.children[next]?.firstLine ?? block.firstLine + block.lines;
    return this.#isBetween(behind - 1, behind, block);
  }

  /** A figure stays without its caption, too. */
  #isAmidContent(inner: Block): boolean {
    const block = figureAround(inner) ?? inner;
    return this.#isBetween(block.firstLine - 1, block.firstLine + block.lines, block.parent);
  }

  /** What has no text stays where the lines before and behind it do, or one of them that is in the same element. */
  #isBetween(before: number, behind: number, around: Block | undefined): boolean {
    const isBefore = this.#lines[before]?.isKept ?? false;
    const isBehind = this.#lines[behind]?.isKept ?? false;
    if (isBefore && isBehind) return true;
    return around !== undefined && ((isBefore && around.holds(before)) || (isBehind && around.holds(behind)));
  }
}

/** Names of blocks whose pictures are buttons. Overlays and tooltips have pictures of the text. */
const BUTTONS = Part.Navigation | Part.Pagination | Part.Footer | Part.Share | Part.Subscribe;

/** Whether a block has no text, but perhaps pictures that are no buttons. */
function isWordless({ lines, isSkipped, parts }: Block): boolean {
  return lines === 0 && !(isSkipped && (parts & BUTTONS) !== 0);
}

/** Figures are in figures rarely, and never deep. */
const MAX_FIGURE_DEPTH = 6;

function figureAround(inner: Block): Block | undefined {
  let block: Block | undefined = inner;
  for (let depth = 0; block && depth < MAX_FIGURE_DEPTH; depth++, block = block.parent)
    if (isFigure(block)) return block;
  return undefined;
}

function isFigure({ element, lines }: Block): boolean {
  return element.name === 'figure' && lines <= MAX_CAPTION_LINES;
}
