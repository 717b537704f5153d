import type { ElementNode } from '../tree.ts';
import type { Renderer } from './renderer.ts';

/** GitHub's footnotes: the label, and the text indented below it. Links back to the text are left out, see links. */
export function renderFootnote(element: ElementNode, label: string, page: Renderer): void {
  const { out } = page;
  const outer = page.footnote;
  page.footnote = label;
  out.block();
  out.nested(`[^${label}]: `, '    ', () => page.children(element));
  out.block();
  page.footnote = outer;
}
