import { now } from '../../src/clock.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeTeam } from '../../test/support/store-rows.ts';
import { STORE_KINDS, type StoreKind } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';
import { type Cost, costOfPages } from './cost-of-pages.ts';
import { fillJob, holdStatistics, makeStatistics } from './fill-job.ts';
import { appendPages, startJob } from './job.ts';

/** Addresses of one job that wait. */
const FEW = 5_000;
const MANY = 5_000_000;
const QUICK_MANY = 50_000;
/** Added in one write, as a large batch is. */
const CHUNK = 20_000;
/** How many times as long it may take with many waiting as with few. */
const AIM = 1.5;

/**
 * What it takes to hand out and to end 16 pages, with few addresses waiting and with many. PostgreSQL plans by statistics,
 * which are as old as its last look at a table, and keeps the plans of a connection: none may change for the worse. So
 * it is measured with plans and statistics of few, over new connections, and with fresh statistics.
 */
export async function* benchJobs({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  for (const kind of STORE_KINDS) {
    if (!kind.skip) yield* benchOn(kind, quick);
  }
}

async function* benchOn(kind: StoreKind, quick: boolean): AsyncGenerator<Figure> {
  const many = quick ? QUICK_MANY : MANY;
  const claims = quick ? 20 : 100;
  const place = await kind.create();
  let store = await openStore(place.options);
  try {
    const owner = await makeTeam(store);
    const worker = await store.jobs.addWorker(now() + 3_600_000);
    const measure = () => costOfPages(store, worker, owner, claims);
    const hasStatistics = kind.name === 'PostgreSQL';
    const id = await startJob(store, owner, FEW);
    if (hasStatistics) await holdStatistics(place.options);

    const few = await measure();
    yield* figures(`${kind.name}, ${count(FEW)} waiting`, few);
    if (hasStatistics) {
      await makeStatistics(place.options);
      yield* figures(`${kind.name}, ${count(FEW)} waiting, with statistics`, await measure());
    }
    const start = performance.now();
    await appendPages(store, owner, id, { from: FEW, count: CHUNK });
    yield {
      name: `${kind.name}: addresses added a second`,
      value: (1000 * CHUNK) / (performance.now() - start),
      unit: '/s',
    };

    await fillJob(place.options, FEW + CHUNK, many);
    yield* figures(`${kind.name}, ${count(many)} waiting`, await measure(), few);
    if (hasStatistics) {
      await store.close();
      store = await openStore(place.options);
      yield* figures(`${kind.name}, ${count(many)} waiting, new connections`, await measure(), few);
      await makeStatistics(place.options);
      yield* figures(`${kind.name}, ${count(many)} waiting, fresh statistics`, await measure(), few);
    }
  } finally {
    await store.close();
    await place[Symbol.asyncDispose]();
  }
}

/** @param few with which it is compared */
function* figures(name: string, cost: Cost, few?: Cost): Generator<Figure> {
  for (const what of ['claim', 'completion'] as const) {
    const figure = { name: `${name}: ${what} of 16 pages`, value: cost[what], unit: 'ms' };
    yield few === undefined ? figure : { ...figure, aim: AIM * few[what] };
  }
}

function count(number: number): string {
  return number.toLocaleString('en');
}
