import type { Score } from './score.ts';

/** Prints the means over pages on one line. */
export function printScores(name: string, scores: readonly Score[]): void {
  const mean = (value: (score: Score) => number) =>
    (scores.reduce((sum, each) => sum + value(each), 0) / scores.length).toFixed(4);
  console.log(
    `${name.padEnd(14)} ${String(scores.length).padStart(5)} pages  F1 ${mean(({ f1 }) => f1)}  P ${mean(({ precision }) => precision)}  R ${mean(({ recall }) => recall)}`,
  );
}
