import type { Attributes, ElementNode } from '../tree.ts';
import type { GridRow } from './table-grid.ts';

const STYLE = /(?:^|[\s;])text-align\s*:\s*(?:-[a-z]+-)?(left|right|center|start|end)/i;
/** The classes of WordPress, Bootstrap, Tailwind, Bulma, docutils, Asciidoctor and LaTeXML, and common names. */
const CLASS =
  /(?:^|\s)(?:has-text-align-|has-text-|u-?text-|ta-|text-align-|text-|halign-|align-?|ltx_align_|cell-)(left|right|center(?:ed)?|start|end)(?:\s|$)/i;
const TEXT_CLASS = /(?:^|\s)text-(left|right|center|start|end)(?:\s|$)/i;
const BARE_CLASS = /(?:^|\s)(left|right|center)(?:\s|$)/i;
const MARKERS = new Map([
  ['left', ':---'],
  ['start', ':---'],
  ['center', ':---:'],
  ['centered', ':---:'],
  ['middle', ':---:'],
  ['right', '---:'],
  ['end', '---:'],
]);
/** Elements that may wrap the whole content of a cell and align it. */
const HOLDERS = new Set(['p', 'div', 'center']);
/** How many rows are checked. The first cell of a column may be empty, or unlike the others. */
const MAX_ROWS = 5;

/** The delimiter below the head for each column, from the majority of its first cells; undefined without alignment. */
export function alignmentsOf(rows: readonly GridRow[]): (string | undefined)[] {
  const counts: Map<string | undefined, number>[] = [];
  for (const row of rows.slice(0, MAX_ROWS)) {
    const inherited = inheritedBy(row.find((cell) => cell !== null) ?? null);
    for (const [column, cell] of row.entries()) {
      counts[column] ??= new Map();
      if (cell === null || cell.textLength === 0) continue;
      const side = sideOfCell(cell) ?? inherited;
      counts[column].set(side, (counts[column].get(side) ?? 0) + 1);
    }
  }
  return counts.map(mostFrequent);
}

function mostFrequent(counts: ReadonlyMap<string | undefined, number>): string | undefined {
  let most: string | undefined;
  for (const [side, count] of counts) if (count > (counts.get(most) ?? 0)) most = side;
  return most;
}

/** The side of the element that wraps the whole content of the cell, or the cell's own. */
function sideOfCell({ children, attributes }: ElementNode): string | undefined {
  const [only] = children.length === 1 ? children : [];
  if (only?.kind !== 'element' || !HOLDERS.has(only.name)) return sideOf(attributes);
  return only.name === 'center' ? MARKERS.get('center') : (sideOf(only.attributes) ?? sideOf(attributes));
}

/** The side that a cell inherits from its row, its section or its table. */
function inheritedBy(cell: ElementNode | null): string | undefined {
  for (let box = cell?.parent ?? null; box !== null; box = box.parent) {
    const { style = '', class: names = '' } = box.attributes;
    // How the table itself is aligned says nothing about its cells.
    if (box.name === 'table') return markerOf(STYLE.exec(style) ?? TEXT_CLASS.exec(names));
    const side = sideOf(box.attributes);
    if (side !== undefined) return side;
  }
  return undefined;
}

function sideOf({ align, style = '', class: names = '' }: Attributes): string | undefined {
  return markerOf(STYLE.exec(style) ?? CLASS.exec(names) ?? (align ? ['', align] : BARE_CLASS.exec(names)));
}

function markerOf(found: readonly string[] | null): string | undefined {
  return MARKERS.get(found?.[1]?.trim().toLowerCase() ?? '');
}
