import type { ElementNode, TreeNode } from '../tree.ts';
import { type MarkdownOptions, Renderer } from './renderer.ts';

export type { MarkdownOptions } from './renderer.ts';

/**
 * GitHub-flavoured Markdown of an element, or of nodes that follow each other. Hidden elements, scripts and form
 * controls are left out; a page whose text is all hidden, as scripts do that fade a page in, is written in full.
 */
export function toMarkdown(content: ElementNode | readonly TreeNode[], options: MarkdownOptions): string {
  const nodes = 'kind' in content ? [content] : content;
  return render(nodes, options, false) || render(nodes, options, true);
}

function render(nodes: readonly TreeNode[], options: MarkdownOptions, showHidden: boolean): string {
  const page = new Renderer(nodes, options, showHidden);
  for (const node of nodes) page.visit(node);
  return page.out.finish();
}
