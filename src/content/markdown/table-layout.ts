import type { ElementNode } from '../tree.ts';
import { isHeading } from './blocks.ts';

/** A cell of more text than this is a post or an article, not a value. */
const MAX_CELL = 2_000;
/** The limit for a cell with several paragraphs or a list, in a table without a head. */
const MAX_BLOCKS_CELL = 400;
/** The limit where each row starts with a plain label, such as the name of a parameter. */
const MAX_LABELLED_CELL = 1_000;
const MAX_LABEL = 60;
/** The limit for a cell with its own heading or table, in a table with a head. */
const MAX_RICH_CELL = 200;

/**
 * Whether a table is only for layout: it is marked as such, it has one column or, without a head, one row, or its cells
 * hold content that no Markdown table cell can (code, quotes, tables, sections, long text).
 */
export function isLayout(table: ElementNode, rows: readonly (readonly ElementNode[])[]): boolean {
  const { role } = table.attributes;
  if (role === 'presentation' || role === 'none') return true;
  const hasHead = rows.some((row) => row.some(({ name }) => name === 'th'));
  if (rows.length < 2 && !hasHead) return true;
  if (rows.every((row) => row.length < 2)) return true;
  const maxBlocks = hasHead ? MAX_CELL : rows.every(isLabelled) ? MAX_LABELLED_CELL : MAX_BLOCKS_CELL;
  return rows.some((row) => row.some((cell) => isTooRich(cell, cell, hasHead, maxBlocks)));
}

/** Whether all cells of a row except the last are plain labels. The author of a post is a link, or has a picture. */
function isLabelled(row: readonly ElementNode[]): boolean {
  return row.slice(0, -1).every((cell) => cell.textLength <= MAX_LABEL && cell.linkLength === 0 && !hasPicture(cell));
}

function hasPicture({ children }: ElementNode): boolean {
  return children.some((child) => child.kind === 'element' && (child.name === 'img' || hasPicture(child)));
}

/** @param maxBlocks the maximum text in a cell with paragraphs or a list */
function isTooRich(cell: ElementNode, element: ElementNode, hasHead: boolean, maxBlocks: number): boolean {
  const { textLength } = cell;
  if (textLength > MAX_CELL) return true;
  const rich = !hasHead || textLength > MAX_RICH_CELL;
  return element.children.some((child) => {
    if (child.kind === 'text' || child.hidden) return false;
    switch (child.name) {
      case 'blockquote':
      case 'pre':
        return rich;
      case 'table':
        return rich && child.textLength > 0;
      case 'p':
      case 'ul':
      case 'ol':
        return textLength > maxBlocks;
      default:
        return (
          (rich && isHeading(child) && child.textLength < textLength) || isTooRich(cell, child, hasHead, maxBlocks)
        );
    }
  });
}
