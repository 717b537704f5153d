/** One measured number. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The figure is good when it is at most this. A figure without a target is for comparison. */
  aim?: number;
  /** The figure is good when it is at least this. */
  atLeast?: number;
}

/** One line per figure: name, value, target, and whether it was met. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [figure.name, `${round(figure.value)} ${figure.unit}`, ...verdict(figure)]);
  rows.unshift(['what', 'figure', 'aim', '']);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const [name = '', figure = '', aim = '', verdict = ''] = row;
    const [first = 0, second = 0, third = 0] = widths;
    console.log(`${name.padEnd(first)}  ${figure.padStart(second)}  ${aim.padEnd(third)}  ${verdict}`.trimEnd());
  }
}

function verdict({ value, unit, aim, atLeast }: Figure): [aim: string, verdict: string] {
  if (aim !== undefined) return [`at most ${Number(aim.toFixed(2))} ${unit}`, value <= aim ? 'ok' : 'MISSED'];
  if (atLeast !== undefined) return [`at least ${atLeast} ${unit}`, value >= atLeast ? 'ok' : 'MISSED'];
  return ['', ''];
}

/** Three significant digits, and no more than two places. */
function round(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
