import { isBlock } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { isHeading } from './blocks.ts';
import { strong } from './inline.ts';
import type { Renderer } from './renderer.ts';

/**
 * Terms in bold, each definition behind `: ` on the next line: the definition lists of Pandoc and PHP Markdown Extra,
 * which GitHub shows as a paragraph that still makes sense.
 */
export function renderDefinitionList(list: ElementNode, page: Renderer): void {
  page.out.block();
  renderParts(list, page);
  page.out.block();
}

function renderParts(parent: ElementNode, page: Renderer): void {
  let previous = '';
  for (const child of parent.children) {
    const name = child.kind === 'element' && !child.hidden ? child.name : '';
    if (child.kind === 'element' && name === 'dt') renderTermAfter(previous, child, page);
    else if (child.kind === 'element' && name === 'dd') renderDefinitionAfter(previous, child, page);
    else if (child.kind === 'element' && name === 'div') renderParts(child, page);
    else page.visit(child);
    if (name !== '') previous = name;
  }
}

function renderTermAfter(previous: string, term: ElementNode, page: Renderer): void {
  if (previous === 'dt') page.out.blockExactly(1);
  else page.out.block();
  if (term.children.some(isHeading)) page.children(term);
  else page.inFlow('line', () => strong(page, () => page.children(term)));
  page.out.block();
}

function renderDefinitionAfter(previous: string, definition: ElementNode, page: Renderer): void {
  const { out } = page;
  // Without a term it is an indent, as old pages write it; a list or code cannot stand behind the colon.
  if ((previous !== 'dt' && previous !== 'dd') || !startsWithText(definition)) {
    page.block(definition);
    return;
  }
  out.blockExactly(1);
  out.nested(': ', '', () => page.children(definition));
  out.block();
}

function startsWithText(element: ElementNode): boolean {
  const first = element.children.find((child) => child.kind === 'element' || child.text.trim() !== '');
  if (first === undefined) return false;
  if (first.kind === 'text' || first.name === 'p') return true;
  return first.name === 'div' ? startsWithText(first) : !isBlock(first.name);
}
