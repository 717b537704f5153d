import { quantile } from '../statistics.ts';
import type { LabelledPage } from './labelled-pages.ts';
import type { EngineRun } from './run-engine.ts';
import { scoreMarkdown } from './score.ts';

/** The figures of one engine. A figure that is undefined, such as a share of nothing, is NaN. */
export interface Summary {
  /** Means over pages. */
  f1: number;
  precision: number;
  recall: number;
  f1ByType: Record<string, number>;
  /** Shares of all snippets of all pages. */
  withKept: number;
  withoutLeftOut: number;
  /** MB of source (10^6 bytes of UTF-8) per second of CPU time, and of wall-clock time. */
  mbPerCpuSecond: number;
  mbPerSecond: number;
  /** Milliseconds per page: CPU time and wall-clock time. */
  cpuMs: Spread;
  wallMs: Spread;
  /** Peak resident memory of the process, including Node and the current page, in MB. */
  peakMemory: number;
  /**
   * Pages that count as empty because the engine threw, took too long or crashed. In the last two cases there is no
   * time either.
   */
  failed: number;
}

interface Spread {
  p50: number;
  p95: number;
  max: number;
}

export function summarize(pages: readonly LabelledPage[], { done, failed }: EngineRun): Summary {
  const scored = pages.map((page) => ({ page, ...scoreMarkdown(done.get(page.id)?.markdown ?? '', page) }));
  const types = [...new Set(pages.map(({ type }) => type))].sort();
  const times = [...done.values()];
  const megabytes = sum(times.map(({ bytes }) => bytes)) / 1e6;
  return {
    f1: mean(scored.map(({ f1 }) => f1)),
    precision: mean(scored.map(({ precision }) => precision)),
    recall: mean(scored.map(({ recall }) => recall)),
    f1ByType: Object.fromEntries(
      types.map((type) => [type, mean(scored.filter(({ page }) => page.type === type).map(({ f1 }) => f1))]),
    ),
    withKept: sum(scored.map(({ kept }) => kept)) / sum(pages.map((page) => page.with.length)),
    withoutLeftOut: sum(scored.map(({ leftOut }) => leftOut)) / sum(pages.map((page) => page.without.length)),
    mbPerCpuSecond: (megabytes / sum(times.map(({ cpu }) => cpu))) * 1000,
    mbPerSecond: (megabytes / sum(times.map(({ wall }) => wall))) * 1000,
    cpuMs: spread(times.map(({ cpu }) => cpu)),
    wallMs: spread(times.map(({ wall }) => wall)),
    peakMemory: Math.max(...times.map(({ memory }) => memory)),
    failed: failed.size,
  };
}

function spread(values: readonly number[]): Spread {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95), max: Math.max(...values) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
