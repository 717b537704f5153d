import type { ElementNode } from '../tree.ts';
import { renderHiddenImage, renderMathScript } from './math.ts';
import type { Renderer } from './renderer.ts';

/** What hidden elements have to say: TeX in scripts and of images of formulas, and images for readers without scripts. */
export function renderHidden(element: ElementNode, page: Renderer): void {
  if (element.name === 'script') renderMathScript(element, page);
  if (element.name === 'img') renderHiddenImage(element, page);
  if (element.name !== 'noscript' || !page.imageMissing) return;
  page.imageMissing = false;
  if (element.children.some((child) => child.kind === 'element' && child.name === 'img')) page.children(element);
}
