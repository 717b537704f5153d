import { createHash } from 'node:crypto';
import { newId, now } from '../../src/clock.ts';
import type { Charge } from '../../src/store/operations/charges.ts';
import type { NewTask } from '../../src/store/operations/jobs/add-tasks.ts';
import type { NewJob } from '../../src/store/operations/jobs/start-job.ts';
import type { NewKey } from '../../src/store/operations/keys.ts';
import type { NewTeam } from '../../src/store/operations/teams.ts';
import type { StoredCopy } from '../../src/store/pages.ts';
import type { NewScrape } from '../../src/store/scrapes.ts';
import type { Store } from '../../src/store/store.ts';

export function newKeyRow(teamId: string, given: Partial<NewKey> = {}): NewKey {
  const id = newId();
  const hash = createHash('sha256').update(id).digest('hex');
  return {
    id,
    teamId,
    name: 'test',
    hash,
    hint: 'fc-0123…ef',
    formats: null,
    endpointGroups: null,
    createdAt: now(),
    ...given,
  };
}

export function newTeamRow(id: string, given: Partial<NewTeam> = {}): NewTeam {
  const createdAt = given.createdAt ?? now();
  return { id, name: 'test', plan: 'unlimited', billingAnchor: createdAt, createdAt, ...given };
}

/** A new team, so that tests on one store do not see each other. */
export async function makeTeam(store: Store): Promise<{ teamId: string; keyId: string; keyHash: string }> {
  const teamId = newId();
  const key = newKeyRow(teamId);
  await store.teams.make(newTeamRow(teamId), key);
  return { teamId, keyId: key.id, keyHash: key.hash };
}

/** A batch to start with `store.jobs.start`. */
export function newBatch(
  owner: { teamId: string; keyId: string | null },
  tasks: readonly NewTask[],
  given: Partial<NewJob> = {},
): Parameters<Store['jobs']['start']>[0] {
  const job: NewJob = {
    id: newId(),
    teamId: owner.teamId,
    keyId: owner.keyId,
    kind: 'batch',
    apiVersion: 'v2',
    options: '{}',
    formats: ['markdown'],
    hidesTasks: false,
    taskCredits: 1,
    priority: 0,
    taskLimit: null,
    maxConcurrency: null,
    delay: 0,
    keepMs: 1000,
    createdAt: now(),
    conclusion: null,
    ...given,
  };
  const activity = {
    ...{ teamId: owner.teamId, id: job.id, endpoint: 'batch_scrape', apiVersion: 'v2', target: null },
    ...{ keyId: null, origin: null, integration: null, auditUsername: null, createdAt: job.createdAt },
  };
  const limits = { queuedTasks: null, credits: null };
  return { job, tasks, limits, request: null, webhook: null, activity };
}

export function newScrape(owner: { teamId: string; keyId: string | null }, given: Partial<NewScrape> = {}): NewScrape {
  return {
    id: newId(),
    teamId: owner.teamId,
    keyId: owner.keyId,
    url: 'https://example.com/',
    origin: null,
    integration: null,
    auditUsername: null,
    client: null,
    options: { formats: ['markdown'] },
    outcome: 'completed',
    errorCode: null,
    errorMessage: null,
    credits: 1,
    charge: null,
    isReserved: false,
    cached: null,
    apiVersion: 'v2',
    createdAt: now(),
    duration: 12,
    expiresAt: now() + 3_600_000,
    document: '{"markdown":"# Example"}',
    ...given,
  };
}

export function newCharge(owner: { teamId: string; keyId: string | null }, given: Partial<Charge> = {}): Charge {
  return {
    teamId: owner.teamId,
    key: `scrape:${newId()}`,
    keyId: owner.keyId,
    capability: 'test',
    jobId: null,
    credits: 1,
    items: null,
    tokens: 0,
    chargedAt: now(),
    ...given,
  };
}

/** A cached copy of a page with this body. */
export function newCopy(body: string | Uint8Array, storedAt = now()): StoredCopy {
  const page = { url: 'https://example.com/', status: 200, headers: { etag: '"1"' }, proxyUsed: 'basic' as const };
  if (typeof body !== 'string')
    return { page: { ...page, contentType: 'application/pdf', body, isText: false }, storedAt };
  return { page: { ...page, contentType: 'text/html', body: Buffer.from(body), isText: true }, storedAt };
}
