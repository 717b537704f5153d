import { newId, now } from '../../src/clock.ts';
import { compress } from '../../src/store/compression.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ClaimedPage } from '../../src/store/operations/jobs/claim-pages.ts';
import type { Store } from '../../src/store/store.ts';
import { makeTeam } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../statistics.ts';

/** Addresses of one job that wait, from few to as many as a large crawl has. */
const WAITING = [1_000, 100_000, 2_000_000];
const QUICK = [1_000, 20_000];
const HOSTS = 500;
/** Added in one write. */
const CHUNK = 20_000;
/** Of claims that are measured. */
const CLAIMS = 50;
const BATCH = 16;

/** What it takes to hand out and to end 16 pages, by how many addresses wait. */
export async function* benchJobs({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  for (const kind of STORE_KINDS) {
    if (kind.skip) continue;
    await using place = await kind.create();
    const store = await openStore(place.options);
    try {
      const owner = await makeTeam(store);
      const worker = await store.jobs.addWorker(now() + 3_600_000);
      const id = await startJob(store, owner);
      let waiting = 1;
      for (const count of quick ? QUICK : WAITING) {
        const filling = performance.now();
        const more = count - waiting;
        await fill(store, owner.teamId, id, more);
        const seconds = (performance.now() - filling) / 1000;
        waiting = count;
        const name = `${kind.name}, ${count.toLocaleString('en')} waiting`;
        yield { name: `${name}: addresses added a second`, value: more / seconds, unit: '/s' };
        const { claim, complete } = await measure(store, worker, owner);
        yield { name: `${name}: claim of ${BATCH} pages`, value: claim, unit: 'ms' };
        yield { name: `${name}: completion of ${BATCH} pages`, value: complete, unit: 'ms' };
        waiting -= CLAIMS * BATCH;
      }
    } finally {
      await store.close();
    }
  }
}

type Owner = Awaited<ReturnType<typeof makeTeam>>;

async function startJob(store: Store, { teamId, keyId }: Owner): Promise<string> {
  const id = newId();
  const createdAt = now();
  const of = { teamId, id, apiVersion: 'v2', createdAt };
  await store.jobs.start({
    job: {
      ...of,
      keyId,
      kind: 'batch',
      options: '{}',
      pageCredits: 1,
      priority: 0,
      pageLimit: null,
      maxConcurrency: null,
      delay: 0,
      keepMs: 1,
    },
    pages: pages(0, 1),
    limits: { queuedPages: null, credits: null },
    request: null,
    webhook: null,
    activity: {
      ...of,
      endpoint: 'batch_scrape',
      target: null,
      keyId,
      origin: null,
      integration: null,
      auditUsername: null,
    },
  });
  return id;
}

async function fill(store: Store, teamId: string, id: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += CHUNK) {
    await store.jobs.append({
      ...{ id, teamId, kind: 'batch', at: now(), request: null, limits: { queuedPages: null, credits: null } },
      pages: pages(from, Math.min(CHUNK, count - from)),
    });
  }
}

function pages(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const host = `host-${(from + index) % HOSTS}.test`;
    return { key: null, url: `https://${host}/articles/some-title-${from + index}`, host, depth: 0 };
  });
}

/** Medians, in milliseconds. */
async function measure(store: Store, worker: number, owner: Owner): Promise<{ claim: number; complete: number }> {
  const document = 'Words of a page. '.repeat(600);
  const claims: number[] = [];
  const completions: number[] = [];
  for (let round = 0; round < CLAIMS; round++) {
    const start = performance.now();
    const claimed = await store.jobs.claim({
      worker,
      limit: BATCH,
      at: now(),
      concurrency: { unlimited: null },
      sated: { teams: [], jobs: [] },
    });
    const middle = performance.now();
    if (claimed.length === 0) break;
    const ended = await Promise.all(claimed.map((page) => endOf(page, owner, document)));
    const last = performance.now();
    await store.jobs.complete({ worker, at: now(), ended, hosts: [] });
    claims.push(middle - start);
    completions.push(performance.now() - last);
  }
  return { claim: quantile(claims, 0.5), complete: quantile(completions, 0.5) };
}

async function endOf(page: ClaimedPage, { teamId, keyId }: Owner, document: string) {
  const charge = {
    ...{ teamId, keyId, key: `page:${page.job}:${page.key}`, capability: 'batch', jobId: String(page.job) },
    ...{ credits: 1, tokens: 0, chargedAt: now() },
  };
  const end = { type: 'done' as const, scrapeId: newId(), document: await compress(document), charge, found: [] };
  return { ...page, end };
}
