import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { newId, now } from '../../src/clock.ts';
import { compress } from '../../src/store/compression.ts';
import type { NewTask } from '../../src/store/operations/jobs/add-tasks.ts';
import type { ClaimedTask } from '../../src/store/operations/jobs/claim-tasks.ts';
import type { TaskEnd } from '../../src/store/operations/jobs/end-task.ts';
import { toPageRow } from '../../src/store/pages.ts';
import type { Store } from '../../src/store/store.ts';
import { makeTeam, newBatch, newCharge, newCopy, newKeyRow, newScrape } from './store-rows.ts';

export type Owner = Awaited<ReturnType<typeof makeTeam>>;

const SPAN = { firstDay: 0, endDay: 1_000_000 };
const HOUR_MS = 3_600_000;
const LIMITS = { queuedTasks: 1_000, credits: { span: SPAN, limit: 1_000_000 } };

/** Every store operation behind calls that leave no job, each at least once. */
export async function makeCalls(store: Store): Promise<Owner> {
  const owner = await makeTeam(store);
  const { teamId, keyHash } = owner;
  await store.teams.change(teamId, { allowList: null });
  await store.teams.find(teamId);
  await store.keys.find(keyHash);
  await store.keys.list(teamId);
  await revokeNamesake(store, owner);

  const scrape = newScrape(owner);
  await store.scrapes.record({ ...scrape, charge: newCharge(owner, { key: `scrape:${scrape.id}` }) });
  assert.ok(await store.scrapes.get(teamId, scrape.id));
  const activity = { ...scrape, id: newId(), endpoint: 'map', target: scrape.url };
  await store.activity.record({ activity, charge: newCharge(owner, { key: `map:${newId()}` }) });
  await store.activity.list({ teamId, endpoint: 'map', before: newId(), limit: 10 });
  await store.activity.list({ teamId, endpoint: null, before: null, limit: 10 });

  await store.pages.put(teamId, 'page', newCopy('<p>Words'));
  assert.ok(await store.pages.get(teamId, 'page'));
  assert.ok(await store.pages.getDocument(teamId, 'page', 'markdown'));
  await store.pages.ofDomain(teamId, 'example.com', { after: null, limit: 10 });

  const file = { teamId, type: 'image/png', bytes: Buffer.alloc(1_500_000), keepMs: HOUR_MS };
  const ticket = await store.artifacts.put({ ...file, isSealed: false });
  const { bytes, size } = await store.artifacts.open(ticket);
  assert.equal((await buffer(bytes)).byteLength, size);

  const reservation = { teamId, id: newId(), credits: 5, createdAt: now(), expiresAt: now() + HOUR_MS };
  assert.ok((await store.usage.reserve(reservation, SPAN, 1_000)).reserved);
  await store.usage.charge(newCharge(owner), reservation.id);
  await store.usage.release(teamId, reservation.id);
  await store.usage.balance(teamId, SPAN, now());
  await store.usage.lastSuccess(teamId);
  await store.usage.start(teamId);
  await store.usage.sums(teamId, [SPAN, { firstDay: 5, endDay: 6 }]);

  await store.limits.count({ subject: teamId, group: 'scrape', limit: 10, windowMs: 60_000 });
  const slot = await store.limits.takeSlot(teamId, 2);
  assert.equal(await store.limits.takenSlots(teamId), 1);
  await slot?.release();
  await store.keyless.count({ client: teamId, day: 1, limit: 5 });
  await store.schedules.put({ ...{ teamId, id: 'nightly', kind: 'tally', cron: '0 3 * * *' }, ...TURN });
  return owner;
}

const TURN = { zone: 'UTC', options: null, nextAt: 1 };

/** A revoked key that retention merges into an older one, with a scrape made with it. */
async function revokeNamesake(store: Store, owner: Owner): Promise<void> {
  const key = newKeyRow(owner.teamId);
  await store.keys.add(key);
  const used = { teamId: owner.teamId, keyId: key.id };
  const scrape = newScrape(used, { expiresAt: now() + 1_000 * HOUR_MS });
  await store.scrapes.record({ ...scrape, charge: newCharge(used, { key: `scrape:${scrape.id}` }) });
  assert.ok(await store.keys.revoke(owner.teamId, key.id, 1));
}

export interface StartedJob {
  kind: 'batch' | 'crawl';
  id: string;
}

/** Starts a batch and appends to it, and starts a crawl with a conclusion. Both have webhooks. */
export async function startJobs(store: Store, owner: Owner): Promise<StartedJob[]> {
  await store.webhooks.putSecret(owner.teamId, 'whsec_c2VjcmV0', { replaces: false });
  await store.webhooks.secret(owner.teamId);
  const events = ['started', 'page', 'completed', 'failed'];
  const webhook = { url: 'http://hook.test/', headers: '{}', metadata: '{}', events };
  const request = { key: newId(), hash: 'what' };
  const batch = newBatch(owner, [task(1), task(2)], { keepMs: HOUR_MS });
  for (let time = 0; time < 2; time++) await store.jobs.start({ ...batch, limits: LIMITS, webhook, request });
  const { id } = batch.job;
  const append = {
    id,
    teamId: owner.teamId,
    kind: 'batch',
    tasks: [task(3)],
    limits: LIMITS,
    request: null,
    at: now(),
  };
  assert.equal((await store.jobs.append(append)).type, 'accepted');

  const given = {
    kind: 'crawl',
    hidesTasks: true,
    summary: '{}',
    taskLimit: 20,
    keepMs: HOUR_MS,
    conclusion: { credits: 2 },
  };
  const crawl = newBatch(owner, [task(1), { ...task(0), role: 'helper' }], given);
  await store.jobs.start({ ...crawl, limits: LIMITS, webhook });
  await store.jobs.open(owner.teamId, 'crawl', { skip: 0, limit: 10 });
  await store.jobs.count(owner.teamId);
  return [
    { kind: 'batch', id },
    { kind: 'crawl', id: crawl.job.id },
  ];
}

function task(number: number): NewTask {
  const host = `host-${number % 2}.test`;
  const shape = { key: `shape ${number}`, family: 'family' };
  return { key: `task ${number}`, payload: `http://${host}/${number}`, host, depth: 0, shape };
}

/** Claims and completes tasks until none are left, with every possible outcome. */
export async function workOn(store: Store, worker: number): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const at = now();
    const full = { teams: ['nobody'], jobs: [0] };
    const claimed = await store.jobs.claim({ worker, limit: 3, at, concurrency: { unlimited: 50 }, full });
    if (claimed.length === 0 && (await store.jobs.nextReadyAt(['nobody'])) === null) return;
    const ended = [];
    for (const one of claimed) {
      assert.ok(await store.jobs.work(one));
      await store.jobs.shapes(one, ['shape 1']);
      if (one.role === 'helper') await findMore(store, one);
      ended.push({ ...one, end: await endOf(one, tried) });
    }
    const [first] = claimed;
    await store.jobs.complete({ worker, at, ended, hosts: first === undefined ? [] : pacesOf(first, at) });
  }
}

async function findMore(store: Store, { teamId, team, job }: ClaimedTask): Promise<void> {
  const refused = [{ key: 'refused', payload: 'http://other.test/', tryId: newId(), error: null }];
  await store.jobs.addFound({ teamId, team, job, found: [task(4), task(5)], refused, at: now() });
}

async function endOf({ teamId, job, key, role, payload }: ClaimedTask, tried: Set<string>): Promise<TaskEnd> {
  const charge = newCharge({ teamId, keyId: null }, { key: `page:${newId()}` });
  const id = `${job} ${key}`;
  const isFirst = !tried.has(id);
  tried.add(id);
  if (role === 'helper') return { type: 'helped' };
  // The keys of the crawl are sealed.
  const number = payload.at(-1);
  if (number === '1' && isFirst) return { type: 'again', runAt: now() };
  if (number === '2' && isFirst) return { type: 'waits', runAt: now(), charge };
  if (number === '3') return { type: 'failed', tryId: newId(), code: 'TIMEOUT', message: 'Too slow.', charge: null };
  if (number === '4') return { type: 'blocked' };
  const document = await compress('{"markdown":"Words"}');
  const page = toPageRow(teamId, id, newCopy('<p>Words'), document);
  const made = { teamId, key: id, copiedAt: page.storedAt, shape: 'markdown', warning: null, costs: null, leads: null };
  const copy = { page, document: { ...made, document } };
  const found = role === 'main' ? [task(6), task(7)] : [];
  return {
    type: 'done',
    tryId: newId(),
    document,
    copy,
    charge,
    address: { key: `${key}/`, payload },
    found,
  };
}

function pacesOf({ host, team, lane }: ClaimedTask, at: number) {
  return [
    { type: 'slower', host, nextAt: at, delay: 1 } as const,
    { type: 'quicker', host, from: 1, to: 0 } as const,
    { type: 'robots', host, team, lane, agent: '*', nextAt: at, delay: 0 } as const,
  ];
}

/** Delivers the events of the jobs, the first event at the second attempt. */
export async function deliverEvents(store: Store): Promise<void> {
  for (let time = 0; (await store.webhooks.nextAt()) !== null; time++) {
    const at = now();
    const claim = { at, limit: 10, leaseUntil: at, perTeam: 5, underWay: [] };
    for (const event of await store.webhooks.claim(claim)) {
      if (event.task?.result) await store.webhooks.document(event, event.task.result.seq);
      const failed = { type: 'failed', status: 500, error: 'no', runAt: at } as const;
      await store.webhooks.settle({ event, at, end: time === 0 ? failed : { type: 'delivered', status: 200 } });
    }
  }
}

/** Performs every read of a job. */
export async function readJob(store: Store, { teamId }: Owner, { kind, id }: StartedJob): Promise<void> {
  const job = await store.jobs.find(teamId, kind, id);
  assert.ok(job?.status === 'completed' && job.completed > 0 && job.failed > 0, `${kind} ${job?.status}`);
  await store.jobs.results(job, { skip: 0, limit: null });
  await store.jobs.conclusion(job);
  const [failed] = await store.jobs.failedTasks(job, { after: null, skip: 0, limit: 10 });
  await store.jobs.failedTasks(job, { after: failed ?? assert.fail(), skip: 0, limit: 10 });
  assert.ok((await store.webhooks.events(job, { skip: 0, limit: 10 })).length > 2);
}
