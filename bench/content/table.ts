import { type Integrity, KINDS } from './integrity.ts';
import type { Summary } from './summary.ts';

interface Row<Figures> {
  name: string;
  value: (figures: Figures) => number;
  places: number;
  aim?: Aim;
}

interface Aim {
  text: string;
  isMet: (value: number) => boolean;
}

const OWN = 'trawl';
const YARDSTICK = 'readability';
const LEARNED = `${OWN} has learned from these pages. How well it reads pages that it has not seen: npm run train -- DATASET --check`;

/** Prints the quality and speed of the engines. */
export function printTable(summaries: ReadonlyMap<string, Summary>): void {
  printRows(summaries, rowsFor(summaries));
  if (summaries.has(OWN)) console.log(`\n${LEARNED}`);
}

/** Prints how much of the documentation each engine loses. */
export function printIntegrity(integrities: ReadonlyMap<string, Integrity>): void {
  const rows: Row<Integrity>[] = KINDS.map((kind) => ({
    name: `${kind} lost, %`,
    value: ({ of, lost }) => (100 * lost[kind]) / of[kind],
    places: 2,
    aim: below(kind === 'paragraphs' || kind === 'items' ? 1 : 0.5),
  }));
  rows.push(
    { name: 'elements out of order', value: ({ misplaced }) => misplaced, places: 0 },
    { name: 'neighbours run together', value: ({ merged }) => merged, places: 0 },
  );
  printRows(integrities, rows);
}

/** One line per figure, one column per engine, then the target for this engine and whether it is met. */
function printRows<Figures>(summaries: ReadonlyMap<string, Figures>, rows: readonly Row<Figures>[]): void {
  const own = summaries.get(OWN);
  const lines = [['', ...summaries.keys(), own ? 'aim' : '', '']];
  for (const { name, value, places, aim } of rows) {
    const figures = [...summaries.values()].map((summary) => format(value(summary), places));
    const verdict = aim && own ? [aim.text, aim.isMet(value(own)) ? 'ok' : 'MISSED'] : ['', ''];
    lines.push([name, ...figures, ...verdict]);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 || column > summaries.size ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
}

function rowsFor(summaries: ReadonlyMap<string, Summary>): Row<Summary>[] {
  const types = Object.keys([...summaries.values()][0]?.f1ByType ?? {});
  const yardstick = summaries.get(YARDSTICK);
  const rows: Row<Summary>[] = [
    { name: 'F1', value: ({ f1 }) => f1, places: 4 },
    { name: 'precision', value: ({ precision }) => precision, places: 4 },
    { name: 'recall', value: ({ recall }) => recall, places: 4 },
    ...types.map((type) => ({
      name: `F1, ${type}`,
      value: ({ f1ByType }: Summary) => f1ByType[type] ?? Number.NaN,
      places: 4,
    })),
    { name: 'snippets of the content kept', value: ({ withKept }) => withKept, places: 4 },
    { name: 'snippets of the rest left out', value: ({ withoutLeftOut }) => withoutLeftOut, places: 4 },
    { name: 'MB a second of CPU', value: ({ mbPerCpuSecond }) => mbPerCpuSecond, places: 1, aim: atLeast(100) },
  ];
  if (yardstick) {
    rows.push({
      name: `times the MB a second of ${YARDSTICK}`,
      value: ({ mbPerCpuSecond }) => mbPerCpuSecond / yardstick.mbPerCpuSecond,
      places: 1,
      aim: atLeast(10),
    });
  }
  rows.push(
    { name: 'MB a second on the clock', value: ({ mbPerSecond }) => mbPerSecond, places: 1 },
    { name: 'ms of CPU a page, median', value: ({ cpuMs }) => cpuMs.p50, places: 2 },
    { name: 'ms of CPU a page, 95th percentile', value: ({ cpuMs }) => cpuMs.p95, places: 2, aim: below(6) },
    { name: 'ms of CPU a page, largest', value: ({ cpuMs }) => cpuMs.max, places: 1, aim: below(100) },
    { name: 'ms on the clock a page, median', value: ({ wallMs }) => wallMs.p50, places: 2 },
    { name: 'ms on the clock a page, 95th percentile', value: ({ wallMs }) => wallMs.p95, places: 2 },
    { name: 'ms on the clock a page, largest', value: ({ wallMs }) => wallMs.max, places: 1 },
    { name: 'peak memory of the process, MB', value: ({ peakMemory }) => peakMemory, places: 0 },
    { name: 'pages failed, counted as empty', value: ({ failed }) => failed, places: 0 },
  );
  return rows;
}

function atLeast(aim: number): Aim {
  return { text: `at least ${aim}`, isMet: (value) => value >= aim };
}

function below(aim: number): Aim {
  return { text: `below ${aim}`, isMet: (value) => value < aim };
}

function format(value: number, places: number): string {
  return Number.isFinite(value) ? value.toFixed(places) : '–';
}
