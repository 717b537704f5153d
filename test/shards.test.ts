import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { now, useClock } from '../src/clock.ts';
import { rowKeeper } from '../src/store/artifacts/row-keeper.ts';
import { PostgresLimits } from '../src/store/limits/postgres-limits.ts';
import { DAY_MS } from '../src/store/operations/charges.ts';
import { ping } from '../src/store/operations/ping.ts';
import { findSecret, shareSecret } from '../src/store/operations/secrets.ts';
import { WRITES } from '../src/store/operations/writes.ts';
import { openPostgres } from '../src/store/postgres/open-postgres.ts';
import { createStore, type Store } from '../src/store/store.ts';
import { readDocs } from './support/option-table.ts';
import { createPartitionedDatabase, type PartitionedDatabase } from './support/partitioned-database.ts';
import { missingPostgres } from './support/postgres.ts';
import { deliverEvents, makeCalls, readJob, startJobs, workOn } from './support/store-workload.ts';
import { type WatchedRunner, watch } from './support/watched-runner.ts';

const STORE = join(import.meta.dirname, '..', 'src', 'store');
const TEAMS = 3;

describe('a database partitioned by team', { skip: (await missingPostgres()) ?? false }, () => {
  let database: PartitionedDatabase;
  let runner: WatchedRunner;
  before(async () => {
    database = await createPartitionedDatabase();
    runner = watch(await openPostgres(database.url));
    await doEverything(
      createStore(
        { runner, limits: new PostgresLimits(runner), keeper: rowKeeper(runner) },
        'a secret of 32 characters or more',
      ),
    );
    await runner.write(shareSecret, 'secret');
    await runner.read(findSecret, undefined);
    await runner.write(ping, undefined);
  });
  after(async () => {
    await runner?.close();
    await database?.[Symbol.asyncDispose]();
  });

  test('partitions every table but the small ones by the team that its primary key begins with', () => {
    assert.ok(database.tables.size > 15);
    for (const [table, column] of database.tables) assert.match(column, /^team(_id)?$/, table);
  });

  test('was tested with every operation of the store', () => {
    const reads = globSync('{*,artifacts/*}.ts', { cwd: STORE }).flatMap((file) => {
      const source = readFileSync(join(STORE, file), 'utf8');
      return [...source.matchAll(/unner\.(?:read|write|writeOnce)\((\w+),/g)].map(([, name = '']) => name);
    });
    const known = new Set([...Object.keys(WRITES), ...reads.filter((name) => name !== 'operation')]);
    assert.deepEqual(
      [...known].filter((name) => !runner.operations.has(name)),
      [],
    );
  });

  test('needs one partition per table for the work of a team; docs/scale.md lists the exceptions', () => {
    const rows = readDocs('scale.md').matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|/gm);
    const listed = [...rows].flatMap(([, operation, tables = '']) =>
      [...tables.matchAll(/\w+/g)].map(([table]) => `${operation}: ${table}`),
    );
    const found = new Map(runner.reaches.map((reach) => [`${reach.operation}: ${reach.table}`, reach.statement]));
    assert.deepEqual(
      [...found].filter(([name]) => !listed.includes(name)),
      [],
    );
    assert.deepEqual(
      listed.filter((name) => !found.has(name)),
      [],
      'docs/scale.md lists operations that no longer reach across teams',
    );
  });
});

async function doEverything(store: Store): Promise<void> {
  await store.ready();
  await store.plans.put({ name: 'own', limits: '{}' });
  await store.plans.list();
  await store.plans.find('own');
  await store.plans.remove('own', { whileUsed: false });
  await store.prices.put({ name: 'own', credits: 1 });
  await store.prices.list();
  await store.prices.remove('own');

  const worker = await store.jobs.addWorker(now() + DAY_MS);
  await store.jobs.renewWorker(worker, now() + DAY_MS);
  await store.jobs.hasWorker();
  const teams = [];
  for (let team = 0; team < TEAMS; team++) {
    const owner = await makeCalls(store);
    teams.push({ owner, jobs: await startJobs(store, owner) });
  }
  for (const { owner } of teams) await useProfile(store, owner.teamId);
  await store.jobs.held(worker, 10);
  await workOn(store, worker);
  await deliverEvents(store);
  for (const { owner, jobs } of teams) for (const job of jobs) await readJob(store, owner, job);

  for (const schedule of await store.schedules.due(now(), 10)) await store.schedules.take(schedule, now() + DAY_MS);
  await store.figures();
  await store.cacheBytes();
  assert.equal((await store.teams.list()).length, TEAMS);
  await loseWorker(store);
  for (const { owner } of teams) {
    const [running] = await startJobs(store, owner);
    await store.jobs.cancel(owner.teamId, 'batch', running?.id ?? '');
  }
  const [deleted] = teams;
  if (deleted !== undefined) await deleteTeam(store, deleted.owner.teamId);
  await retain(store);
  await store.jobs.removeWorker(worker);
}

async function useProfile(store: Store, teamId: string): Promise<void> {
  const lock = await store.profiles.lock({ teamId, name: 'mine' }, DAY_MS);
  await store.profiles.save(lock, '{}');
  await store.profiles.release(lock);
  const tomorrow = now() + DAY_MS;
  const restore = useClock(() => tomorrow);
  assert.equal(await store.profiles.read({ teamId, name: 'mine' }), '{}');
  restore();
}

async function loseWorker(store: Store): Promise<void> {
  await store.jobs.addWorker(0);
  assert.ok(await store.jobs.lostWorker(10));
}

async function deleteTeam(store: Store, id: string): Promise<void> {
  await store.teams.measure(id);
  await store.teams.markDeleted(id, now());
  while ((await store.teams.deleteSome(id, now())) !== 'done');
  assert.equal(await store.teams.find(id), null);
}

/** Removes first what exceeds the storage limit, then what has expired. */
async function retain(store: Store): Promise<void> {
  const errors: unknown[] = [];
  const limits = { cacheBytes: 1, resultBytes: 1, ledgerMs: DAY_MS, activityMs: DAY_MS };
  await store.sweep({ now: now(), ...limits }, (error) => errors.push(error));
  const later = Date.now() + 400 * DAY_MS;
  const restore = useClock(() => later);
  while (await store.sweep({ now: later, ...limits }, (error) => errors.push(error)));
  restore();
  assert.deepEqual(errors, []);
}
