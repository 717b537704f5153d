import { readCsvRows } from './csv-rows.ts';
import { fenced } from './fence.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** The sample from which the delimiter is guessed. */
const SAMPLE_LENGTH = 20_000;

/** Larger tables are of no use. They are cut, with a note. */
const MAX_COLUMNS = 1_000;
const MAX_CELLS = 1_000_000;

const BREAKING = /[|\n]/;

/**
 * Comma-separated values (RFC 4180; also semicolon, tab and bar, whichever splits the first lines best) as a Markdown
 * table whose head is the first row. Text that is not a table (an unclosed quote) is kept unchanged in a fenced block.
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

/** The delimiter with the same count, outside quotes, in the most lines; in a tie the more frequent one. */
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

/** Escapes only what would break the table, because the cells are data. */
function tableRow(cells: readonly string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, index) => (cells[index] ?? '').trim());
  return `| ${padded.map((cell) => (BREAKING.test(cell) ? escapeCell(cell) : cell)).join(' | ')} |`;
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}
