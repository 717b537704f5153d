import type { Attributes, ElementNode } from '../tree.ts';
import type { GridRow } from './table-grid.ts';

const STYLE = /(?:^|[\s;])text-align\s*:\s*(?:-[a-z]+-)?(left|right|center|start|end)/i;
/** WordPress, Bootstrap, Tailwind, Bulma, docutils, Asciidoctor, LaTeXML, and what people call it. */
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
/** What may hold all that is in a cell, and align it. */
const HOLDERS = new Set(['p', 'div', 'center']);
/** Rows that are looked at: of a column that spans leave empty at first, or of a first cell unlike the others. */
const MAX_ROWS = 20;

/** What stands below the head for each column, as most of its first cells have it; undefined for those without a side. */
export function alignmentsOf(rows: readonly GridRow[]): (string | undefined)[] {
  const looked = rows.slice(0, MAX_ROWS);
  const columns = rows[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, column) => mostOf(looked.map((row) => row[column] ?? null)));
}

function mostOf(cells: readonly (ElementNode | null)[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const cell of cells) {
    if (cell === null || cell.textLength === 0) continue;
    const side = alignmentOf(cell);
    counts.set(side, (counts.get(side) ?? 0) + 1);
  }
  let most: string | undefined;
  for (const [side, count] of counts) if (count > (counts.get(most) ?? 0)) most = side;
  return most;
}

function alignmentOf(cell: ElementNode): string | undefined {
  const [only, ...others] = cell.children.filter((child) => child.kind === 'element' || child.text.trim() !== '');
  const holder = only?.kind === 'element' && others.length === 0 && HOLDERS.has(only.name) ? only : null;
  if (holder?.name === 'center') return MARKERS.get('center');
  const own = (holder && sideOf(holder.attributes)) ?? sideOf(cell.attributes);
  if (own !== undefined) return own;
  for (let box = cell.parent; box !== null; box = box.parent) {
    // What is left or right of a table itself says nothing about its cells.
    if (box.name === 'table')
      return markerOf(STYLE.exec(box.attributes.style ?? '') ?? TEXT_CLASS.exec(box.attributes.class ?? ''));
    const side = sideOf(box.attributes);
    if (side !== undefined) return side;
  }
  return undefined;
}

function sideOf({ align, style, class: names = '' }: Attributes): string | undefined {
  return markerOf(STYLE.exec(style ?? '') ?? CLASS.exec(names) ?? (align ? [align, align] : BARE_CLASS.exec(names)));
}

function markerOf(found: readonly string[] | null): string | undefined {
  return MARKERS.get(found?.[1]?.trim().toLowerCase() ?? '');
}
