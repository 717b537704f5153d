import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { STORE_KINDS } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { quantile, trend } from '../statistics.ts';
import { waitForDisk } from '../wait-for-disk.ts';
import { type MeasuredCrawl, type Moment, measureCrawl } from './measure-crawl.ts';
import type { SitesReady } from './site-server.ts';

export interface GrowthBenchOptions {
  /** `postgresql`, else SQLite. */
  database: string | undefined;
  /** Page counts of the sites, instead of the default ones. */
  sizes: readonly number[] | undefined;
  quick: boolean;
}

const SIZES = [1_000, 20_000, 200_000];
const QUICK_SIZES = [30, 60];
/** Pages of other sites to crawl first, so that code is compiled and the caches of the process are warm. */
const WARM_UP = 3_000;
const QUICK_WARM_UP = 10;
/** A small crawl takes seconds, so it is repeated until this many pages are crawled; the median counts. */
const LEAST_PAGES = 5_000;
/** The target for the slowest size below the fastest, and for memory growth in the second half, in percent. */
const RATE_AIM = 15;
const MEMORY_AIM = 5;
/** A shorter crawl has no meaningful course. */
const LEAST_MOMENTS = 20;

/**
 * Crawls sites from small to large through the HTTP API, each into an empty store, to see whether the cost per page and
 * the memory stay constant. A separate process serves the pages.
 */
export async function* benchGrowth({ database, sizes, quick }: GrowthBenchOptions): AsyncGenerator<Figure> {
  const sites = fork(join(import.meta.dirname, 'site-server.ts'));
  try {
    const [ready]: SitesReady[] = await once(sites, 'message');
    if (ready === undefined) throw new Error('The server of pages did not start.');
    const rates: number[] = [];
    for (const pages of sizes ?? (quick ? QUICK_SIZES : SIZES)) {
      await using place = await placeOf(database);
      await using service = await Service.start('node', place.databaseUrl);
      const warmUp = quick ? QUICK_WARM_UP : WARM_UP;
      await measureCrawl(service, `${ready.address}warm-${warmUp}/`, warmUp);
      const crawls: MeasuredCrawl[] = [];
      for (let done = 0; done === 0 || (!quick && done < LEAST_PAGES); done += pages) {
        crawls.push(await measureCrawl(service, `${ready.address}crawl${done}-${pages}/`, pages));
      }
      const rate =
        (1000 * pages) /
        quantile(
          crawls.map(({ time }) => time),
          0.5,
        );
      rates.push(rate);
      const name = `${pages.toLocaleString('en')} pages`;
      yield { name: `${name}: pages a second`, value: rate, unit: '/s' };
      for (const figure of courseOf(
        crawls.flatMap(({ course }) => course),
        crawls.length === 1,
      )) {
        yield { ...figure, name: `${name}: ${figure.name}` };
      }
    }
    const slower = 100 * (1 - Math.min(...rates) / Math.max(...rates));
    yield { name: 'slowest size, below the fastest', value: slower, unit: '%', aim: RATE_AIM };
  } finally {
    sites.disconnect();
  }
}

/** Memory, and of one long crawl what has changed on the way. */
function* courseOf(course: readonly Moment[], isOneCrawl: boolean): Generator<Figure> {
  yield { name: 'largest memory', value: Math.max(...course.map(({ memory }) => memory)), unit: 'MB' };
  if (!isOneCrawl || course.length < LEAST_MOMENTS) return;
  const last = course.at(-1)?.pages ?? 0;
  for (const tenth of [1, 5, 10]) {
    const from = course.findLast(({ pages }) => pages <= (last * (tenth - 1)) / 10) ?? course[0];
    const to = course.find(({ pages }) => pages >= (last * tenth) / 10);
    if (from === undefined || to === undefined) continue;
    const rate = (1000 * (to.pages - from.pages)) / (to.at - from.at);
    yield { name: `pages a second, tenth ${tenth} of 10`, value: rate, unit: '/s' };
    yield { name: `memory, tenth ${tenth} of 10`, value: to.memory, unit: 'MB' };
  }
  // Memory fluctuates, so growth that a linear fit cannot distinguish from none counts as none.
  const half = course.filter(({ pages }) => pages >= last / 2);
  const { slope, error } = trend(half.map(({ pages, memory }) => [pages, memory]));
  const grown = Math.max(0, slope - 2 * error) * (last / 2);
  const percent = (100 * grown) / (half[0]?.memory ?? 1);
  yield { name: 'memory, certain growth in the second half', value: percent, unit: '%', aim: MEMORY_AIM };
}

/** An empty database; the service has an empty SQLite file by itself. */
async function placeOf(database: string | undefined): Promise<AsyncDisposable & { databaseUrl: string | undefined }> {
  if (database === undefined) return { databaseUrl: undefined, [Symbol.asyncDispose]: async () => {} };
  const kind = STORE_KINDS.find(({ name }) => name === 'PostgreSQL' && database === 'postgresql');
  if (kind === undefined) throw new Error(`--database takes postgresql, not ${database}.`);
  if (kind.skip) throw new Error(kind.skip);
  const place = await kind.create();
  const { databaseUrl } = place.options;
  if (databaseUrl !== undefined) await waitForDisk(databaseUrl);
  return { databaseUrl, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}
