import { newId, now } from '../../src/clock.ts';
import type { NewScrape } from '../../src/store/scrapes.ts';
import type { Store } from '../../src/store/store.ts';
import { inSlot } from '../../src/team/concurrency.ts';
import { requireCredits } from '../../src/team/credits.ts';
import { authenticate, type Caller, createKey, FIRST_TEAM_ID, firstStart } from '../../src/team/keys.ts';
import { requireAllowedAddress, requireEndpointGroup, requireFormats } from '../../src/team/permissions.ts';
import { countRequest } from '../../src/team/rate-limit.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../statistics.ts';

/** A plan with every limit, so high that none is reached. */
const PLAN = {
  concurrency: 50,
  queuedJobs: 1_000,
  requestsPerMinute: { scrape: 1e9, map: 1e9, crawl: 1e9, search: 1e9, agent: 1e9, status: 1e9 },
  monthlyCredits: 1e11,
};
const NETWORKS = ['192.0.2.0/24', '2001:db8::/32'];

/** The first team on a plan with every limit, and a key with every restriction. Returns the key. */
export async function prepareTeam(store: Store): Promise<string> {
  await firstStart(store, 'fc-00000000000000000000000000000000');
  await store.plans.put({ name: 'bench', limits: JSON.stringify(PLAN) });
  await store.teams.change(FIRST_TEAM_ID, { plan: 'bench', allowList: JSON.stringify(NETWORKS) });
  const { key } = await createKey(store, 'bench', { formats: ['markdown'], endpointGroups: ['scrape', 'team'] });
  return key;
}

/**
 * The cost that authentication, restrictions, limits and charging add to a scrape that is recorded in any case. Each
 * request with them is paired with one without, and the median of the differences counts, because waiting for the disk
 * is most of both and varies twofold within minutes.
 */
export async function requestCost(store: Store, key: string, requests: number): Promise<Figure[]> {
  const owner = await authenticate(store, key);
  if (owner === null) throw new Error('The key of the bench is not known.');
  const record: number[] = [];
  const added: number[] = [];
  const admission: number[] = [];
  const wrongKey: number[] = [];
  for (let count = -20; count < requests; count++) {
    const bare = await timed(() => store.scrapes.record(newScrape(owner, false)));
    const whole = await timed(() => wholeRequest(store, key));
    const admitted = await timed(() => admit(store, key));
    const refused = await timed(() => authenticate(store, 'fc-ffffffffffffffffffffffffffffffff'));
    // The first ones warm up.
    if (count < 0) continue;
    record.push(bare);
    added.push(whole - bare);
    admission.push(admitted);
    wrongKey.push(refused);
  }
  return [
    { name: 'a record without charge', value: quantile(record, 0.5), unit: 'ms' },
    { name: 'a wrong key', value: quantile(wrongKey, 0.5), unit: 'ms' },
    { name: 'authentication, restrictions, rate', value: quantile(admission, 0.5), unit: 'ms' },
    { name: 'authentication, limits and charging', value: quantile(added, 0.5), unit: 'ms' },
  ];
}

async function wholeRequest(store: Store, key: string): Promise<void> {
  const caller = await admit(store, key);
  await inSlot(store.limits, caller, async () => {
    requireFormats(caller, ['markdown']);
    await requireCredits(store, caller, 1);
    await store.scrapes.record(newScrape(caller, true));
  });
}

async function admit(store: Store, key: string): Promise<Caller> {
  const caller = await authenticate(store, key);
  if (caller === null) throw new Error('The key of the bench is not known.');
  requireAllowedAddress(caller, '192.0.2.7');
  requireEndpointGroup(caller, ['scrape']);
  const rate = await countRequest(store.limits, caller, 'scrape');
  if (rate === null || rate.refusal !== undefined) throw new Error('The limit of the bench is too low.');
  return caller;
}

function newScrape({ teamId, keyId }: Caller, isCharged: boolean): NewScrape {
  const [id, at] = [newId(), now()];
  const charge = {
    teamId,
    key: `scrape:${id}` as const,
    keyId,
    capability: 'scrape',
    jobId: id,
    credits: 1,
    items: null,
    tokens: 0,
  };
  return {
    id,
    teamId,
    keyId,
    apiVersion: 'v2',
    url: 'https://example.com/',
    origin: null,
    integration: null,
    auditUsername: null,
    client: null,
    isReserved: false,
    cached: null,
    options: { formats: ['markdown'] },
    outcome: 'completed',
    errorCode: null,
    errorMessage: null,
    credits: 1,
    charge: isCharged ? { ...charge, chargedAt: at } : null,
    createdAt: at,
    duration: 12,
    expiresAt: at + 3_600_000,
    document: JSON.stringify({ markdown: 'words that stand for a page '.repeat(300) }),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
