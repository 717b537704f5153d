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
  /** The address that relative addresses resolve against. */
  baseUrl: string;
  /** Images with a `data:` address lose it and keep their alt text. */
  removeBase64Images: boolean;
}

/** The list item that is being written. */
export interface Item {
  /** Where the item starts in the output, after the place of its marker. */
  start: number;
  /** `blankLines` of the writer at that point. */
  blankLines: number;
  hasText: boolean;
}

/** One walk over the tree, and the state that elements need to know about their surroundings. */
export class Renderer {
  out = new Writer();
  readonly options: MarkdownOptions;
  readonly addresses: Addresses;
  readonly footnotes: Footnotes;
  readonly drawnFormulas = new DrawnFormulas();
  readonly indentedLists = new IndentedLists();
  readonly codeLabels: CodeLabels;
  /** Hidden elements are written like any other. */
  readonly showHidden: boolean;
  item: Item | null = null;
  /** Where the last ordered list ended. A list that follows directly must not continue its numbers. */
  orderedListEnd = -1;
  /** The delimiter after the numbers of that list. */
  orderedListDelimiter: '.' | ')' = '.';
  /** Where the last item outside a list ended. */
  strayItemEnd = -1;
  /** Bold is written as plain text here: in headings, table heads and bold text. */
  plainStrong = false;
  /** The link around blocks, and the heading in it that becomes the link. */
  headingLink: { heading: ElementNode; mark: Mark } | null = null;
  /** In a link around blocks. Its first text becomes the link, so images are written beside it. */
  aroundBlocks = false;
  /** The label of the footnote whose text is being written. */
  footnote: string | null = null;
  /** Elements to skip when their turn comes, because they are written already or said in another way. */
  readonly written = new Set<ElementNode>();
  /** Elements that are bold although their name does not say so. */
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

  /** Whether an element is a label of the code beside it. */
  readonly isCodeLabel = (element: ElementNode): boolean => this.codeLabels.has(element);

  /** Writes the children of an element as a block of its own. */
  block(element: ElementNode): void {
    this.out.block();
    this.children(element);
    this.out.block();
  }

  /** Runs `content` inside a mark, unless it is in the same emphasis already. @returns whether it wrote anything */
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

  /** Runs `content` where bold text must not be marked again. */
  withoutStrong(content: () => void): void {
    const outer = this.plainStrong;
    this.plainStrong = true;
    content();
    this.plainStrong = outer;
  }

  /** Runs `content` with blocks written in another way. */
  inFlow(flow: Flow, content: () => void): void {
    const { out } = this;
    const outer = out.flow;
    out.flow = outer === 'block' || flow === 'line' ? flow : outer;
    content();
    out.flow = outer;
  }

  /** What `content` writes, on one line, for a table cell. */
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

/** Writes one kind of element. */
export type ElementRenderer = (element: ElementNode, page: Renderer) => void;
