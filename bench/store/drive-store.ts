import { randomBytes } from 'node:crypto';
import { newId, now } from '../../src/clock.ts';
import type { ByteKeeper } from '../../src/store/artifacts/byte-keeper.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ClaimedTask } from '../../src/store/operations/jobs/claim-tasks.ts';
import type { TaskEnd } from '../../src/store/operations/jobs/end-task.ts';
import { toPageRow } from '../../src/store/pages.ts';
import type { Store } from '../../src/store/store.ts';
import { makeTeam, newBatch, newCharge, newCopy } from '../../test/support/store-rows.ts';

/** Workers that claim and complete one batch of pages after another. */
const WORKERS = 8;
/** The most that a worker claims at once. */
const BATCH = 16;
/** Compressed, as a crawl of real pages leaves them. */
const DOCUMENT = randomBytes(6_500);
const COPY = randomBytes(36_000);
const HOSTS = 64;
/** A large result, as stored. */
const LARGE = 1_000_000;

/**
 * Claims and completes pages of batches without fetching them, for this many milliseconds. Returns pages per second.
 */
export async function driveStore(
  databaseUrl: string,
  { teams, time }: { teams: number; time: number },
): Promise<number> {
  const store = await openStore({ databaseUrl, dataDir: 'unused' });
  try {
    const waiting = Math.ceil((time * 4) / teams);
    for (let team = 0; team < teams; team++) await startBatch(store, waiting);
    const until = performance.now() + time;
    const done = await Promise.all(Array.from({ length: WORKERS }, () => work(store, { until })));
    return (1000 * done.reduce((sum, pages) => sum + pages, 0)) / time;
  } finally {
    await store.close();
  }
}

/** Completes so many pages with results of 1 MB, which are in rows unless a keeper is given. Caches none. */
export async function driveLargeResults(databaseUrl: string, count: number, keeper?: ByteKeeper): Promise<void> {
  const store = await openStore({ databaseUrl, dataDir: 'unused', keeper });
  try {
    await startBatch(store, count);
    await work(store, { count, makeEnd: largeEndOf });
  } finally {
    await store.close();
  }
}

async function startBatch(store: Store, count: number): Promise<void> {
  const owner = await makeTeam(store);
  const tasks = Array.from({ length: count }, (_, index) => {
    const host = `host-${index % HOSTS}.test`;
    return { key: null, payload: `https://${host}/articles/some-title-${index}`, host, depth: 0 };
  });
  await store.jobs.start(newBatch(owner, tasks));
}

interface Shift {
  /** Of `performance.now()`. */
  until?: number;
  /** Pages to do. */
  count?: number;
  makeEnd?: (task: ClaimedTask) => TaskEnd;
}

/** Returns the number of completed pages. */
async function work(
  store: Store,
  { until = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY, makeEnd = endOf }: Shift,
): Promise<number> {
  const worker = await store.jobs.addWorker(now() + 3_600_000);
  let done = 0;
  while (performance.now() < until && done < count) {
    const full = { teams: [], jobs: [] };
    const claimed = await store.jobs.claim({
      worker,
      limit: BATCH,
      at: now(),
      concurrency: { unlimited: null },
      full,
    });
    const ended = claimed.map((task) => ({ ...task, end: makeEnd(task) }));
    await store.jobs.complete({ worker, at: now(), ended, hosts: [] });
    done += claimed.length;
  }
  return done;
}

function endOf({ teamId, job, key }: ClaimedTask): TaskEnd {
  const document = { bytes: DOCUMENT, size: 5 * DOCUMENT.length };
  const page = toPageRow(teamId, `${job} ${key}`, newCopy(''), { bytes: COPY, size: 5 * COPY.length });
  const charge = newCharge({ teamId, keyId: null }, { key: `page:${newId()}`, capability: 'batch' });
  return { type: 'done', tryId: newId(), document, copy: { page }, charge, found: [] };
}

function largeEndOf({ teamId }: ClaimedTask): TaskEnd {
  const document = { bytes: randomBytes(LARGE), size: LARGE };
  const charge = newCharge({ teamId, keyId: null }, { key: `page:${newId()}`, capability: 'batch' });
  return { type: 'done', tryId: newId(), document, charge, found: [] };
}
