import type { ElementNode, TreeNode } from '../tree.ts';
import { Addresses } from './addresses.ts';
import { CodeLabels } from './code-labels.ts';
import { IndentedLists } from './definitions.ts';
import { RENDERERS, renderInline } from './elements.ts';
import { Footnotes } from './footnotes.ts';
import { renderHidden } from './hidden.ts';
import type { Mark } from './mark.ts';
import { DrawnFormulas, renderText } from './math.ts';
import { type Flow, Writer } from './writer.ts';

export interface MarkdownOptions {
  /** What relative addresses resolve against. */
  baseUrl: string;
  /** Images with a `data:` address lose it and keep their alt text. */
  removeBase64Images: boolean;
}

/** The list item that is being written. */
export interface Item {
  /** Where it starts in the output, behind its marker's place. */
  start: number;
  /** `blankLines` of the writer at that point. */
  blankLines: number;
  hasText: boolean;
}

/** One walk over the tree, and what elements must know of their surroundings on it. */
export class Renderer {
  out = new Writer();
  readonly options: MarkdownOptions;
  readonly addresses: Addresses;
  readonly footnotes: Footnotes;
  readonly drawnFormulas = new DrawnFormulas();
  readonly indentedLists = new IndentedLists();
  readonly codeLabels: CodeLabels;
  /** Hidden elements are written like the others. */
  readonly showHidden: boolean;
  item: Item | null = null;
  /** Where the last list ended, if it was an ordered one; the next may not go on with its numbers. */
  orderedListEnd = -1;
  /** Behind its numbers. */
  orderedListDelimiter: '.' | ')' = '.';
  /** Where the last item without a list ended. */
  strayItemEnd = -1;
  /** Strong is plain here: in headings, table heads and in strong. */
  plainStrong = false;
  /** The link around blocks, and the heading in it that takes the link. */
  headingLink: { heading: ElementNode; mark: Mark } | null = null;
  /** In a link around blocks that its first text takes, so images stand beside it. */
  aroundBlocks = false;
  /** The label of the footnote whose text this is. */
  footnote: string | null = null;
  /** Elements that are not to be written in their turn: they are written already, or said in another way. */
  readonly written = new Set<ElementNode>();
  /** Elements without a name for it that are bold. */
  readonly bold = new Set<ElementNode>();
  /** The last image had no address that can be used; a copy in `<noscript>` may have one. */
  imageMissing = false;

  constructor(nodes: readonly TreeNode[], options: MarkdownOptions, showHidden: boolean) {
    this.options = options;
    this.addresses = new Addresses(options.baseUrl);
    this.footnotes = new Footnotes(nodes, this.written);
    this.codeLabels = new CodeLabels(nodes);
    this.showHidden = showHidden;
  }

  visit(node: TreeNode): void {
    if (node.kind === 'text') {
      renderText(node, this);
    } else if (node.hidden && !this.showHidden) {
      renderHidden(node, this);
    } else if (!this.drawnFormulas.has(node) && !this.written.has(node) && !this.codeLabels.has(node)) {
      this.out.elementStart();
      (RENDERERS.get(node.name) ?? renderInline)(node, this);
      this.out.elementEnd();
    }
  }

  children(element: ElementNode): void {
    for (const child of element.children) this.visit(child);
  }

  /** Whether an element says what the language of the code beside it is. */
  readonly isCodeLabel = (element: ElementNode): boolean => this.codeLabels.has(element);

  /** A block of its own. */
  block(element: ElementNode): void {
    this.out.block();
    this.children(element);
    this.out.block();
  }

  /** Runs `content` inside a mark; emphasis inside the same emphasis would read as another. @returns whether it wrote anything */
  marked(mark: Mark, content: () => void): boolean {
    if (mark.kind === 'emphasis' && this.out.isIn(mark)) {
      const start = this.out.length;
      content();
      return this.out.length > start;
    }
    this.out.open(mark);
    content();
    return this.out.close();
  }

  /** Runs `content` where bold text would be bold twice. */
  withoutStrong(content: () => void): void {
    const outer = this.plainStrong;
    this.plainStrong = true;
    content();
    this.plainStrong = outer;
  }

  /** Runs `content` with blocks coming out in another way. */
  inFlow(flow: Flow, content: () => void): void {
    const { out } = this;
    const outer = out.flow;
    out.flow = outer === 'block' || flow === 'line' ? flow : outer;
    content();
    out.flow = outer;
  }

  /** What `content` writes, on one line for the cell of a table. */
  cell(content: () => void): string {
    const { out, item, orderedListEnd, strayItemEnd } = this;
    this.out = new Writer('cell');
    this.item = null;
    this.orderedListEnd = -1;
    this.strayItemEnd = -1;
    content();
    const markdown = this.out.finish();
    Object.assign(this, { out, item, orderedListEnd, strayItemEnd });
    return markdown;
  }
}

/** What stands for one kind of element. */
export type ElementRenderer = (element: ElementNode, page: Renderer) => void;
