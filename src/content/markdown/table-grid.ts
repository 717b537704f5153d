import type { ElementNode } from '../tree.ts';

/** The extra slots that spanning cells can fill, per cell of the table, plus a few for small tables. */
const MAX_SPANNED_PER_CELL = 10;
const MIN_SPANNED = 1_000;

/** A cell in its first slot; `null` in spanned and in empty slots. */
export type GridRow = (ElementNode | null)[];

export interface TableParts {
  caption: ElementNode | null;
  /** The rows of `<thead>` come first, those of `<tfoot>` last. */
  rows: ElementNode[];
  /** The number of rows from `<thead>`. */
  headRows: number;
  /** Content of the table outside its rows. */
  loose: ElementNode[];
}

/** The parts of a table that are shown. */
export function partsOf(table: ElementNode, showHidden: boolean): TableParts {
  const head: ElementNode[] = [];
  const body: ElementNode[] = [];
  const foot: ElementNode[] = [];
  const parts: TableParts = { caption: null, rows: [], headRows: 0, loose: [] };
  for (const child of elementsOf(table, showHidden)) {
    if (child.name === 'tr') body.push(child);
    else if (child.name === 'caption') parts.caption = child;
    else if (child.name === 'thead') head.push(...rowsOf(child, showHidden));
    else if (child.name === 'tbody') body.push(...rowsOf(child, showHidden));
    else if (child.name === 'tfoot') foot.push(...rowsOf(child, showHidden));
    else if (child.name !== 'colgroup' && child.name !== 'col') parts.loose.push(child);
  }
  parts.headRows = head.length;
  parts.rows = [...head, ...body, ...foot];
  return parts;
}

export function cellsOf(row: ElementNode, showHidden: boolean): ElementNode[] {
  return elementsOf(row, showHidden).filter(({ name }) => name === 'td' || name === 'th');
}

/**
 * The cells by row and column (HTML standard, "Forming a table"): a spanning cell is in its first slot, and all rows
 * are as long as the longest. Null when cells span so much more than there is that it must be a mistake.
 */
export function gridOf(rows: readonly (readonly ElementNode[])[]): GridRow[] | null {
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  let budget = Math.max(MIN_SPANNED, cells * MAX_SPANNED_PER_CELL);
  const grid: GridRow[] = [];
  /** For each column, the number of rows from here on that a cell above fills. */
  const taken: number[] = [];
  for (const row of rows) {
    const line: GridRow = [];
    const skipTaken = () => {
      while ((taken[line.length] ?? 0) > 0 && --budget >= 0) {
        taken[line.length] = (taken[line.length] ?? 0) - 1;
        line.push(null);
      }
    };
    for (const cell of row) {
      skipTaken();
      const span = spanOf(cell.attributes.colspan, 1_000);
      const rowsBelow = spanOf(cell.attributes.rowspan, 65_534, rows.length) - 1;
      for (let column = 0; column < span && --budget >= 0; column++) {
        taken[line.length] = rowsBelow;
        line.push(column === 0 ? cell : null);
      }
    }
    skipTaken();
    if (budget < 0) return null;
    grid.push(line);
  }
  return grid;
}

/** @param zero the meaning of 0: "to the end" for rows */
function spanOf(value: string | undefined, most: number, zero = 1): number {
  if (value === undefined) return 1;
  const span = Number.parseInt(value, 10);
  if (span === 0) return zero;
  return span > 0 ? Math.min(span, most) : 1;
}

function rowsOf(section: ElementNode, showHidden: boolean): ElementNode[] {
  return elementsOf(section, showHidden).filter(({ name }) => name === 'tr');
}

function elementsOf(parent: ElementNode, showHidden: boolean): ElementNode[] {
  return parent.children.filter((child) => child.kind === 'element').filter((child) => showHidden || !child.hidden);
}
