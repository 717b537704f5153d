import { readCsvRows } from './csv-rows.ts';
import { fenced } from './fence.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** What the delimiter is guessed from. */
const SAMPLE_LENGTH = 20_000;

/** Past these a table helps nobody; larger ones are cut, and say so. */
const MAX_COLUMNS = 1_000;
const MAX_CELLS = 1_000_000;

const BREAKING = /[|\n]/;

/**
 * Comma-separated values (RFC 4180; also semicolon, tab and bar, whichever divides the first lines best) as a Markdown
 * table whose head is the first row. Text that is no table (an unclosed quote) stays as it is, in a fenced block.
 */
export function csvMarkdown(csv: string): string {
  const rows = readCsvRows(csv, guessDelimiter(csv));
  const columns = Math.min(rows?.reduce((most, row) => Math.max(most, row.length), 0) ?? 0, MAX_COLUMNS);
  if (!rows || columns === 0) return fenced(csv, 'csv');
  const shown = rows.slice(0, Math.max(1, Math.floor(MAX_CELLS / columns)));
  const [head = [], ...body] = shown.map((row) => tableRow(row, columns));
  const table = [head, `|${' --- |'.repeat(columns)}`, ...body].join('\n');
  const missing = rows.length - shown.length;
  return missing > 0 ? `${table}\n\n${missing} more rows are not shown.` : table;
}

/** The delimiter that stands equally often in the most lines, counted outside quotes; of equals the more frequent one. */
function guessDelimiter(csv: string): string {
  const lines = csv
    .slice(0, SAMPLE_LENGTH)
    .replace(/"[^"]*"/g, '')
    .split('\n')
    .filter((line) => line !== '');
  // The sample may end within a line.
  if (csv.length > SAMPLE_LENGTH && lines.length > 1) lines.pop();
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    const score = first === 0 ? 0 : counts.filter((count) => count === first).length + 1 - 1 / first;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** Only what would break the table is escaped: the cells are data. */
function tableRow(cells: readonly string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, index) => (cells[index] ?? '').trim());
  return `| ${padded.map((cell) => (BREAKING.test(cell) ? escapeCell(cell) : cell)).join(' | ')} |`;
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}
