import { STORE_KINDS, type StoreKind } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../statistics.ts';
import { fillJob, holdStatistics, makeStatistics } from './fill-job.ts';
import { type Cost, WaitingJob } from './waiting-job.ts';

/** Addresses that wait. */
const FEW = 5_000;
const MANY = 5_000_000;
const QUICK_MANY = 50_000;
/** Added in one write, as a large batch is. */
const CHUNK = 20_000;
/** Connections plan their queries in the first claims, which are not counted. */
const WARM_UP = 10;
/** The target: the time with many waiting, as a multiple of that with few. */
const AIM = 1.5;

/**
 * The time to claim and to complete 16 pages, with few and with many addresses waiting. PostgreSQL plans by statistics,
 * which are as old as its last look at a table, and keeps the plans of a connection: none may change for the worse. So
 * it is measured with plans and statistics of few, over new connections, and with fresh statistics.
 */
export async function* benchJobs({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  for (const kind of STORE_KINDS) {
    if (!kind.skip) yield* benchOn(kind, quick);
  }
}

async function* benchOn(kind: StoreKind, quick: boolean): AsyncGenerator<Figure> {
  const most = quick ? QUICK_MANY : MANY;
  const rounds = quick ? 20 : 200;
  await using few = await WaitingJob.start(kind, FEW);
  await using many = await WaitingJob.start(kind, FEW);
  const { options } = many;
  const hasStatistics = options.databaseUrl !== undefined;
  if (hasStatistics) {
    await holdStatistics(options);
    await takeTurns([many], rounds);
    await makeStatistics(options);
  }
  await takeTurns([many], rounds);
  const start = performance.now();
  await many.add(CHUNK);
  yield {
    name: `${kind.name}: addresses added a second`,
    value: (1000 * CHUNK) / (performance.now() - start),
    unit: '/s',
  };

  await fillJob(options, many.total, most);
  const name = `${kind.name}, ${most.toLocaleString('en')} waiting`;
  yield* compared(name, few, many, rounds);
  if (!hasStatistics) return;
  await many.reopen();
  yield* compared(`${name}, new connections`, few, many, rounds);
  await makeStatistics(options);
  yield* compared(`${name}, fresh statistics`, few, many, rounds);
}

async function* compared(name: string, few: WaitingJob, many: WaitingJob, rounds: number): AsyncGenerator<Figure> {
  const [ofFew = [], ofMany = []] = await takeTurns([few, many], rounds);
  for (const what of ['claim', 'completion'] as const) {
    const median = (costs: readonly Cost[]) =>
      quantile(
        costs.map((cost) => cost[what]),
        0.5,
      );
    yield {
      name: `${name}: ${what} of 16 pages, ${FEW.toLocaleString('en')} waiting`,
      value: median(ofFew),
      unit: 'ms',
    };
    yield { name: `${name}: ${what} of 16 pages`, value: median(ofMany), unit: 'ms', aim: AIM * median(ofFew) };
  }
}

/** In turn, because the speed of the disk changes twofold within minutes, and this way it affects all alike. */
async function takeTurns(jobs: readonly WaitingJob[], rounds: number): Promise<Cost[][]> {
  const costs: Cost[][] = jobs.map(() => []);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, job] of jobs.entries()) {
      const cost = await job.workOnPages();
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  for (const job of jobs) await job.makeUp();
  return costs;
}
