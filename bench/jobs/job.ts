import { newId, now } from '../../src/clock.ts';
import type { Store } from '../../src/store/store.ts';
import type { makeTeam } from '../../test/support/store-rows.ts';

export type Owner = Awaited<ReturnType<typeof makeTeam>>;

const HOSTS = 500;

/** Starts a batch of so many addresses on 500 hosts, and gives its id. */
export async function startJob(store: Store, { teamId, keyId }: Owner, count: number): Promise<string> {
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
    pages: pages(0, count),
    limits: { queuedPages: null, credits: null },
    request: null,
    webhook: null,
    activity: { ...of, endpoint: 'batch_scrape', target: null, keyId, origin: null, integration: null },
  });
  return id;
}

/** Adds so many more to it, the first of which has the number `from`. */
export async function appendPages(
  store: Store,
  { teamId }: Owner,
  id: string,
  { from, count }: { from: number; count: number },
): Promise<void> {
  await store.jobs.append({
    ...{ id, teamId, kind: 'batch', at: now(), request: null, limits: { queuedPages: null, credits: null } },
    pages: pages(from, count),
  });
}

function pages(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const host = `host-${(from + index) % HOSTS}.test`;
    return { key: null, url: `https://${host}/articles/some-title-${from + index}`, host, depth: 0 };
  });
}
