import type { ElementNode } from '../tree.ts';
import { alignmentsOf } from './alignment.ts';
import { renderCodeTable } from './code-lines.ts';
import { isGutter } from './code-text.ts';
import { renderFootnote } from './footnote-text.ts';
import type { Renderer } from './renderer.ts';
import { cellsOf, type GridRow, gridOf, partsOf, type TableParts } from './table-grid.ts';
import { isLayout } from './table-layout.ts';

/** How many head rows are merged into one. A longer head is not a head. */
const MAX_HEAD_ROWS = 3;

export function renderTable(table: ElementNode, page: Renderer): void {
  const parts = partsOf(table, page.showHidden);
  const cells = parts.rows.map((row) => cellsOf(row, page.showHidden));
  const footnote = page.footnotes.definition(table);
  const text = cells[0]?.at(-1);
  if (footnote !== null && text !== undefined) {
    renderFootnote(text, footnote, page);
    return;
  }
  page.out.block();
  for (const loose of parts.loose) page.visit(loose);
  if (parts.caption !== null) page.block(parts.caption);
  if (renderCodeTable(table, cells.slice(parts.headRows), page)) return;
  const grid = page.out.flow !== 'block' || isLayout(table, cells) ? null : gridOf(cells);
  if (grid === null || !writeTable(parts, grid, page)) writeAsBlocks(cells, page);
  page.out.block();
}

/** Writes a layout table: each cell is a block, or in an outer table cell follows the last one on the same line. */
function writeAsBlocks(rows: readonly (readonly ElementNode[])[], page: Renderer): void {
  const inCell = page.out.flow !== 'block';
  for (const row of rows) {
    page.out.block();
    for (const cell of row) {
      if (isGutter(cell)) continue;
      if (!inCell) page.out.block();
      page.children(cell);
      page.out.space();
    }
    page.out.block();
  }
}

/** Writes a table of GitHub's Markdown. @returns false if fewer than two columns have any content */
function writeTable(parts: TableParts, grid: readonly GridRow[], page: Renderer): boolean {
  const heads = headRowsOf(parts, grid);
  const texts = grid.map((row, index) =>
    row.map((cell) => (cell === null ? '' : textOfCell(cell, index < heads, page))),
  );
  const head = mergeHeads(texts.slice(0, heads));
  const body = texts.slice(heads).filter((row) => row.some((text) => text !== ''));
  const columns = usedColumns([head, ...body]);
  if (columns.length < 2) return false;
  const alignments = alignmentsOf(heads < grid.length ? grid.slice(heads) : grid);
  page.out.lines([
    line(columns.map((column) => head[column] ?? '')),
    line(columns.map((column) => alignments[column] ?? '---')),
    ...body.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ]);
  return true;
}

/** The number of head rows. With 0 the head is empty: GitHub's Markdown needs one, and no row may be lost to it. */
function headRowsOf({ headRows }: TableParts, grid: readonly GridRow[]): number {
  if (headRows > 0) return headRows <= MAX_HEAD_ROWS ? headRows : 1;
  const first = (grid[0] ?? []).filter((cell) => cell !== null);
  const named = first.filter(({ name }) => name === 'th');
  return named.length > 0 && first.every(({ name, textLength }) => name === 'th' || textLength === 0) ? 1 : 0;
}

/** Merges several head rows into one: the name of a group of columns goes before the name of each column. */
function mergeHeads(rows: readonly (readonly string[])[]): readonly string[] {
  const last = rows.at(-1);
  if (last === undefined || rows.length === 1) return last ?? [];
  return last.map((text, column) => {
    const groups = rows.slice(0, -1).map((row) => row.slice(0, column + 1).findLast((group) => group !== '') ?? '');
    return [...new Set([...groups, text])].join(' ').trim();
  });
}

function textOfCell(cell: ElementNode, inHead: boolean, page: Renderer): string {
  const content = () => page.children(cell);
  return page.cell(inHead ? () => page.withoutStrong(content) : content).replaceAll('|', '\\|');
}

function usedColumns(rows: readonly (readonly string[])[]): number[] {
  const used = new Set<number>();
  for (const row of rows) {
    for (const [column, text] of row.entries()) if (text !== '') used.add(column);
  }
  return [...used].sort((one, other) => one - other);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
