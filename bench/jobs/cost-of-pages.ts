import { newId, now } from '../../src/clock.ts';
import { compress } from '../../src/store/compression.ts';
import type { ClaimedPage } from '../../src/store/operations/jobs/claim-pages.ts';
import type { Store } from '../../src/store/store.ts';
import { quantile } from '../statistics.ts';
import type { Owner } from './job.ts';

/** What it takes to hand out and to end 16 pages: medians, in milliseconds. */
export interface Cost {
  claim: number;
  completion: number;
}

/** Those that one worker claims at once, at the most. */
const BATCH = 16;
/** Connections make their plans in the first ones, which are not counted. */
const WARM_UP = 10;

/** Hands out and ends pages, so many times. */
export async function costOfPages(store: Store, worker: number, owner: Owner, claims: number): Promise<Cost> {
  const document = 'Words of a page. '.repeat(600);
  const claimTimes: number[] = [];
  const completionTimes: number[] = [];
  for (let round = -WARM_UP; round < claims; round++) {
    const start = performance.now();
    const claimed = await store.jobs.claim({
      worker,
      limit: BATCH,
      at: now(),
      concurrency: { unlimited: null },
      sated: { teams: [], jobs: [] },
    });
    const middle = performance.now();
    if (claimed.length !== BATCH) throw new Error(`A claim gave ${claimed.length} pages of ${BATCH}.`);
    const ended = await Promise.all(claimed.map((page) => endOf(page, owner, document)));
    const last = performance.now();
    await store.jobs.complete({ worker, at: now(), ended, hosts: [] });
    if (round < 0) continue;
    claimTimes.push(middle - start);
    completionTimes.push(performance.now() - last);
  }
  return { claim: quantile(claimTimes, 0.5), completion: quantile(completionTimes, 0.5) };
}

async function endOf(page: ClaimedPage, { teamId, keyId }: Owner, document: string) {
  const charge = {
    ...{ teamId, keyId, key: `page:${page.job}:${page.key}`, capability: 'batch', jobId: String(page.job) },
    ...{ credits: 1, tokens: 0, chargedAt: now() },
  };
  const end = { type: 'done' as const, scrapeId: newId(), document: await compress(document), charge, found: [] };
  return { ...page, end };
}
