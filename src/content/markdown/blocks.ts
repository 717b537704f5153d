import type { ElementNode, TreeNode } from '../tree.ts';
import { wroteAdmonition } from './admonitions.ts';
import { strong } from './inline.ts';
import type { Renderer } from './renderer.ts';

const HEADING = /^h[1-6]$/;

export function isHeading(node: TreeNode): boolean {
  return node.kind === 'element' && HEADING.test(node.name);
}

/** The content of a heading goes on one line. Nothing in it is marked as bold, because all of it is bold. */
export function renderHeading(element: ElementNode, page: Renderer): void {
  const { out } = page;
  out.block();
  const marker = `${'#'.repeat(Number(element.name.charAt(1)))} `;
  out.heading(marker, () => page.withoutStrong(() => headingText(element, page)));
  out.block();
}

function headingText(element: ElementNode, page: Renderer): void {
  const link = page.headingLink;
  if (link?.heading === element) page.marked(link.mark, () => page.children(element));
  else page.children(element);
}

export function renderQuote(element: ElementNode, page: Renderer): void {
  if (wroteAdmonition(element, page)) return;
  page.out.block();
  page.out.nested('> ', '> ', () => page.children(element));
  page.out.block();
}

export function renderRule(_element: ElementNode, page: Renderer): void {
  page.out.rule();
}

/** GitHub's Markdown cannot fold sections: the summary becomes a bold line, with the folded content below it. */
export function renderSummary(element: ElementNode, page: Renderer): void {
  if (element.children.some(isHeading)) {
    page.block(element);
    return;
  }
  page.out.block();
  page.inFlow('line', () => strong(page, () => page.children(element)));
  page.out.block();
}
