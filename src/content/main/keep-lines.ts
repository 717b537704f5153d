import type { ElementNode, TreeNode } from '../tree.ts';
import { type Block, isInline, isShown, type PageBlocks } from './blocks.ts';
import { Part } from './vocabulary.ts';

/** Parts of a list or a table, which mean nothing without it. */
const TOO_SMALL = new Set('p li ul ol dl dt dd table thead tbody tr td th pre blockquote h1 h2 h3 h4 h5 h6'.split(' '));

/** Limits for a figure that is one picture with a caption. */
const MAX_CAPTION_LINES = 3;

/**
 * Removes everything that is not content from the tree, and returns the deepest element that holds the rest. Hidden
 * elements stay, because the writers handle them: formulas are in scripts.
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

/**
 * @param cursor the index in the children of `block` where those below `element` start, because links and spans hold
 * blocks too
 */
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
  /** The number of kept lines before each line. */
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

  /** Whether anything of the block stays. */
  isLeft(block: Block): boolean {
    const hasKept = this.#before[block.firstLine] !== this.#before[block.firstLine + block.lines];
    return hasKept || ((isWordless(block) || isFigure(block)) && this.#isAmidContent(block));
  }

  /**
   * Whether links, pictures and marks in the block's own line stay. They follow its text, if it has any.
   * @param next the child of the block that follows them
   */
  isLineLeft(block: Block, next: number): boolean {
    if (block.size > 0) return block.isKept;
    const figure = figureAround(block);
    if (figure) return this.isLeft(figure);
    if (block.lines === 0) return isWordless(block) && this.#isAmidContent(block);
    const behind = block.children[next]?.firstLine ?? block.firstLine + block.lines;
    return this.#isBetween(behind - 1, behind, block);
  }

  /** A figure can stay without its caption. */
  #isAmidContent(inner: Block): boolean {
    const block = figureAround(inner) ?? inner;
    return this.#isBetween(block.firstLine - 1, block.firstLine + block.lines, block.parent);
  }

  /** An element without text stays if the lines before and after it stay, or one of them in the same element. */
  #isBetween(before: number, behind: number, around: Block | undefined): boolean {
    const isBefore = this.#lines[before]?.isKept ?? false;
    const isBehind = this.#lines[behind]?.isKept ?? false;
    if (isBefore && isBehind) return true;
    return around !== undefined && ((isBefore && around.holds(before)) || (isBehind && around.holds(behind)));
  }
}

/** Names of blocks whose pictures are buttons. Overlays and tooltips have pictures of the text. */
const BUTTONS = Part.Navigation | Part.Pagination | Part.Footer | Part.Share | Part.Subscribe;

/** Whether a block has no text, but perhaps pictures other than buttons. */
function isWordless({ lines, isSkipped, parts }: Block): boolean {
  return lines === 0 && !(isSkipped && (parts & BUTTONS) !== 0);
}

/** Nested figures are rare, and never deep. */
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
