import { newId, now, useClock } from '../../src/clock.ts';
import { compress } from '../../src/store/compression.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { DAY_MS } from '../../src/store/operations/charges.ts';
import type { TaskEnd } from '../../src/store/operations/jobs/end-task.ts';
import { raw } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { inTransaction } from '../../test/support/raw-database.ts';
import { rowsIn } from '../../test/support/rows.ts';
import { runJobs } from '../../test/support/run-jobs.ts';
import { makeTeam, newBatch, newCharge, newScrape } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';

const PAGES = 40_000;
const QUICK_PAGES = 2_000;
/** The work is spread over this many days, which ended this long ago. */
const DAYS = 100;
const ENDED_MS = 410 * DAY_MS;
const JOB_PAGES = 100;
const MILLION = 1_000_000;
const MEGABYTE = 1024 * 1024;
/** VACUUM FULL keeps deleted rows while any connection to the server is being opened. So it runs three times, and the smallest size counts. */
const VACUUMS = 3;
const TABLE_BYTES = `select cast(sum(pg_total_relation_size(oid)) as text) as bytes from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

type Owner = Awaited<ReturnType<typeof makeTeam>>;

/**
 * The data left by a million pages, half of them scrapes and half in batches of 100, when their results have expired:
 * everything ever written about them, and the part that retention keeps with the default settings.
 */
export async function* benchRetention({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  const pages = quick ? QUICK_PAGES : PAGES;
  for (const kind of STORE_KINDS) {
    if (kind.skip) continue;
    await using place = await kind.create();
    const store = await openStore(place.options);
    try {
      const owner = await makeTeam(store);
      const empty = await bytesOf(place.options);
      await work(store, owner, pages);
      for (const [when, limits] of [
        ['without retention', {}],
        ['with retention', { ledgerMs: 90 * DAY_MS, activityMs: 400 * DAY_MS }],
      ] as const) {
        // Days are folded as retention: without it they stay as they were written.
        while (await store.sweep({ now: now(), cacheBytes: EVERYTHING, ...limits }));
        const left = (await bytesOf(place.options)) - empty;
        yield {
          name: `${kind.name}, ${when}: left of a million pages`,
          value: (Math.max(0, left) * (MILLION / pages)) / MEGABYTE,
          unit: 'MB',
        };
      }
    } finally {
      await store.close();
    }
  }
}

async function work(store: Store, owner: Owner, pages: number): Promise<void> {
  const start = Date.now() - ENDED_MS - DAYS * DAY_MS;
  let done = 0;
  const restore = useClock(() => start + Math.floor((done / pages) * DAYS * DAY_MS));
  try {
    await runJobs(Array(pages / 2).keys(), 32, async () => {
      const scrape = newScrape(owner);
      const charge = newCharge(owner, { key: `scrape:${scrape.id}`, capability: 'scrape', jobId: scrape.id });
      await store.scrapes.record({ ...scrape, charge });
      done += 1;
    });
    const worker = await store.jobs.addWorker(Number.MAX_SAFE_INTEGER);
    while (done < pages) {
      await runBatch(store, owner, worker);
      done += JOB_PAGES;
    }
  } finally {
    restore();
  }
}

async function runBatch(store: Store, owner: Owner, worker: number): Promise<void> {
  const id = newId();
  const at = now();
  const pages = Array.from({ length: JOB_PAGES }, (_, index) => {
    const url = `https://example.com/articles/2026/a-title-of-usual-length-${index}`;
    return { key: null, payload: url, host: 'example.com', depth: 0 };
  });
  const batch = newBatch(owner, pages, { id, keepMs: DAY_MS, createdAt: at });
  const activity = { ...batch.activity, target: 'https://example.com/', keyId: owner.keyId, origin: 'api' };
  await store.jobs.start({ ...batch, activity });
  for (let ended = 0; ended < JOB_PAGES; ) {
    const claim = { worker, limit: 16, at, concurrency: { unlimited: null }, full: { teams: [], jobs: [] } };
    const claimed = await store.jobs.claim(claim);
    const done = await Promise.all(
      claimed.map(async (page) => {
        const charge = newCharge(owner, { key: `page:${id}:${page.key}`, capability: 'batch', jobId: id });
        const end: TaskEnd = { type: 'done', tryId: newId(), document: await compress('{}'), charge, found: [] };
        return { ...page, end };
      }),
    );
    await store.jobs.complete({ worker, at, ended: done, hosts: [] });
    ended += claimed.length;
  }
}

/** The size of the rows of a store, without the free space between them. */
async function bytesOf(options: StoreOptions): Promise<number> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) {
    let bytes = 0;
    await inTransaction(options, async (db) => {
      const value = async (pragma: string) =>
        Number(Object.values((await db.all(raw(`pragma ${pragma}`)))[0] ?? {})[0]);
      bytes = ((await value('page_count')) - (await value('freelist_count'))) * (await value('page_size'));
    });
    return bytes;
  }
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < VACUUMS; count++) {
    await rowsIn(options, 'vacuum full');
    const [row] = await rowsIn(options, TABLE_BYTES);
    least = Math.min(least, Number(row?.bytes));
  }
  return least;
}
