import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { inTransaction } from '../../test/support/raw-database.ts';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch, newCharge, newCopy, newKeyRow, newScrape } from '../../test/support/store-rows.ts';
import { openOwnStore, STORE_KINDS } from '../../test/support/stores.ts';
import { idBefore, newId, now } from '../clock.ts';
import { compress } from './compression.ts';
import type { StoreOptions } from './open-store.ts';
import { DAY_MS } from './operations/charges.ts';
import type { TaskEnd } from './operations/jobs/end-task.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

const HOUR = 3_600_000;
const ROOM = Number.MAX_SAFE_INTEGER;
const YEARS = { firstDay: 0, endDay: 100_000 };

type Owner = Awaited<ReturnType<typeof makeTeam>>;

/** An id that was created at that moment. */
function idAt(ms: number): string {
  return idBefore(ms) + newId().slice(13);
}

async function sweepAll(store: Store, limits: Partial<Parameters<Store['sweep']>[0]>): Promise<void> {
  while (await store.sweep({ now: now(), cacheBytes: ROOM, ...limits }));
}

async function countIn(options: StoreOptions, table: string, condition = '1 = 1'): Promise<number> {
  const [row] = await rowsIn(options, `select cast(count(*) as text) as count from ${table} where ${condition}`);
  return Number(row?.count);
}

/** A scrape with a document of about this many bytes. */
async function addScrape(store: Store, owner: Owner, bytes: number, expiresAt: number): Promise<string> {
  const scrape = newScrape(owner, { document: randomBytes(bytes).toString('base64'), expiresAt });
  await store.scrapes.record(scrape);
  return scrape.id;
}

/** A batch of pages on one host, of which `done` have a result of about 1 KB each. */
async function addJob(store: Store, owner: Owner, { pages, done, at }: { pages: number; done: number; at: number }) {
  const id = newId();
  const urls = Array.from({ length: pages }, (_, index) => `http://a.test/${id}/${index}`);
  const batch = newBatch(
    owner,
    urls.map((url) => ({ key: null, payload: url, host: 'a.test', depth: 0 })),
    { id, keepMs: HOUR, createdAt: at },
  );
  const answer = await store.jobs.start(batch);
  assert.equal(answer.type, 'accepted');
  const worker = await store.jobs.addWorker(at + HOUR);
  const claimed = await store.jobs.claim({
    ...{ worker, limit: pages, at, concurrency: { unlimited: null }, full: { teams: [], jobs: [] } },
  });
  assert.equal(claimed.length, pages);
  const ended = await Promise.all(
    claimed.map(async (page, index) => {
      const later: TaskEnd = { type: 'returned', runAt: at + HOUR };
      if (index >= done) return { ...page, end: later };
      const document = await compress(JSON.stringify({ markdown: randomBytes(1000).toString('base64') }));
      const end: TaskEnd = { type: 'done', tryId: newId(), document, charge: null, found: [] };
      return { ...page, end };
    }),
  );
  await store.jobs.complete({ worker, at, ended, hosts: [] });
  await store.jobs.removeWorker(worker);
  return id;
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`retention in ${name}`, { skip }, () => {
    // Sweeps affect the whole store.
    const open = () => openOwnStore({ create });

    test('old charges are removed, and no report changes', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const old = now() - 100 * DAY_MS;
      for (const kind of ['scrape', 'page', 'map', 'lockdown-miss', 'extract'] as const) {
        for (let index = 0; index < 130; index++) {
          const chargedAt = index < 125 ? old + index : now() - index;
          await on.store.usage.charge(newCharge(owner, { key: `${kind}:${idAt(chargedAt)}`, chargedAt, tokens: 3 }));
        }
      }
      const silent = await makeTeam(on.store);
      await on.store.usage.charge(newCharge(silent, { key: `scrape:${idAt(old)}`, chargedAt: old }));
      const reports = () =>
        Promise.all([
          on.store.usage.sums(owner.teamId, [YEARS]),
          on.store.usage.balance(owner.teamId, YEARS, now()),
          on.store.usage.start(owner.teamId),
          on.store.usage.lastSuccess(owner.teamId),
          on.store.usage.lastSuccess(silent.teamId),
        ]);
      const before = await reports();
      await sweepAll(on.store, { ledgerMs: 90 * DAY_MS });
      assert.deepEqual(await reports(), before);
      assert.equal(before.at(-1), old);
      assert.equal(await countIn(on.options, 'charges'), 5 * 5);
    });

    test('a charge that is repeated while its entry exists is ignored', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const charge = newCharge(owner, { key: `scrape:${idAt(now() - 89 * DAY_MS)}` });
      assert.equal(await on.store.usage.charge(charge), true);
      await sweepAll(on.store, { ledgerMs: 90 * DAY_MS });
      assert.equal(await on.store.usage.charge(charge), false);
    });

    test('old lines of the activity log are removed', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const ids = [401, 399, 0].map((days) => idAt(now() - days * DAY_MS));
      for (const id of ids) await on.store.scrapes.record(newScrape(owner, { id }));
      await sweepAll(on.store, { activityMs: 400 * DAY_MS });
      const left = await on.store.activity.list({ teamId: owner.teamId, endpoint: null, before: null, limit: 10 });
      assert.deepEqual(
        left.map(({ id }) => id),
        ids.slice(1).toReversed(),
      );
    });

    test('the sums of a day and key are folded into one row when the day is over', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const today = Math.floor(now() / DAY_MS);
      await inTransaction(on.options, async (db) => {
        for (const day of [today - 400, today - 3, today]) {
          for (let shard = 0; shard < 16; shard++) {
            await db.run(sql`
              insert into usage_days (team_id, day, key_id, shard, credits, tokens)
              values (${owner.teamId}, ${day}, ${owner.keyId}, ${shard}, ${shard + 1}, ${day})`);
          }
        }
      });
      const spans = [today - 400, today - 3, today].map((day) => ({ firstDay: day, endDay: day + 1 }));
      const before = await on.store.usage.sums(owner.teamId, spans);
      await sweepAll(on.store, {});
      assert.deepEqual(await on.store.usage.sums(owner.teamId, spans), before);
      assert.equal(before[0]?.credits, 136);
      assert.equal(await countIn(on.options, 'usage_days', `day < ${today}`), 2);
      assert.equal(await countIn(on.options, 'usage_days', `day = ${today}`), 16);
    });

    test('keys with one name that were revoked long ago are folded into one, keep their usage, and stay refused', async () => {
      await using on = await open();
      const { teamId } = await makeTeam(on.store);
      const keys = Array.from({ length: 12 }, () => newKeyRow(teamId, { name: 'pipeline' }));
      const revokedAt = now() - 401 * DAY_MS;
      for (const key of keys) {
        await on.store.keys.add(key);
        await on.store.usage.charge(newCharge({ teamId, keyId: key.id }, { chargedAt: revokedAt }));
        await on.store.scrapes.record(newScrape({ teamId, keyId: key.id }));
      }
      const recent = newKeyRow(teamId, { name: 'pipeline' });
      await on.store.keys.add(recent);
      for (const { id } of keys) await on.store.keys.revoke(teamId, id, revokedAt);
      await on.store.keys.revoke(teamId, recent.id, now());

      const usedBy = async (name: string) => {
        const ids = (await on.store.keys.list(teamId)).filter((key) => key.name === name).map(({ id }) => id);
        const sums = await on.store.usage.sums(teamId, [YEARS]);
        return sums
          .filter(({ keyId }) => keyId !== null && ids.includes(keyId))
          .reduce((sum, one) => sum + one.credits, 0);
      };
      assert.equal(await usedBy('pipeline'), 12);
      await sweepAll(on.store, { activityMs: 400 * DAY_MS });
      assert.equal(await usedBy('pipeline'), 12);
      const left = (await on.store.keys.list(teamId)).filter((key) => key.name === 'pipeline');
      assert.deepEqual(
        left.map(({ id }) => id),
        [keys.map(({ id }) => id).sort()[0], recent.id].sort(),
      );
      const gone = keys.find(({ id }) => !left.some((key) => key.id === id));
      assert.ok(gone);
      assert.equal(await on.store.keys.find(gone.hash), null);
      assert.equal(await on.store.keys.add({ ...gone, id: newId() }), false);
      assert.equal(await on.store.keys.find(gone.hash), null);
    });

    test('expired reservations are removed, even of an idle team', async () => {
      await using on = await open();
      const { teamId } = await makeTeam(on.store);
      for (const ms of [-1, HOUR]) {
        const reservation = { teamId, id: newId(), credits: 1, createdAt: now() - DAY_MS, expiresAt: now() + ms };
        await on.store.usage.reserve(reservation, YEARS, 100);
      }
      await sweepAll(on.store, {});
      assert.equal(await countIn(on.options, 'reservations'), 1);
    });

    test('over the size limit, the oldest results of the largest team are removed, and no other team loses any', async () => {
      await using on = await open();
      const [small, large] = [await makeTeam(on.store), await makeTeam(on.store)];
      const soon = now() + HOUR;
      // The oldest of all, but its team is within its share.
      const kept = [];
      for (let index = 0; index < 10; index++) kept.push(await addScrape(on.store, small, 1000, soon + index));
      const scrapes = [];
      for (let index = 0; index < 300; index++)
        scrapes.push(await addScrape(on.store, large, 1000, soon + 1000 + index));
      await sweepAll(on.store, { resultBytes: 100_000 });
      for (const id of kept) assert.notEqual(await on.store.scrapes.get(small.teamId, id), null);
      const left = await Promise.all(scrapes.map((id) => on.store.scrapes.get(large.teamId, id)));
      const newest = left.flatMap((scrape, index) => (scrape === null ? [] : [index]));
      assert.deepEqual(newest, scrapes.map((_, index) => index).slice(-newest.length));
      assert.ok(newest.length >= 80 && newest.length <= 92, `${newest.length} kept`);
    });

    test('over the size limit, ended jobs are removed as a whole, but never a running one or the one that ended last', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const at = now();
      const ended: string[] = [];
      for (let index = 0; index < 4; index++) {
        ended.push(await addJob(on.store, owner, { pages: 16, done: 16, at: at + index }));
      }
      const running = await addJob(on.store, owner, { pages: 16, done: 15, at: at + 10 });
      const find = (id: string) => on.store.jobs.find(owner.teamId, 'batch', id);
      const found = async () => (await Promise.all([...ended, running].map(find))).map((job) => job?.completed ?? null);
      assert.deepEqual(await found(), [16, 16, 16, 16, 15]);
      await sweepAll(on.store, { now: at + 20, resultBytes: 65_000 });
      assert.deepEqual(await found(), [null, null, 16, 16, 15], 'each takes about 16,000 bytes');
      await sweepAll(on.store, { now: at + 30, resultBytes: 1 });
      assert.deepEqual(await found(), [null, null, null, 16, 15]);
      assert.equal(await countIn(on.options, 'job_results'), 31);
      const job = await find(running);
      assert.ok(job);
      assert.equal((await on.store.jobs.results(job, { skip: 0, limit: null })).length, 15);
    });

    test('over the size limit, cached pages of the largest team are removed, and no other team loses any', async () => {
      await using on = await open();
      const [small, large] = [await makeTeam(on.store), await makeTeam(on.store)];
      const at = now();
      for (let index = 0; index < 10; index++) {
        await on.store.pages.put(small.teamId, `${index}`, newCopy(randomBytes(1000), at - 1000));
      }
      for (let index = 0; index < 200; index++) {
        await on.store.pages.put(large.teamId, `${index}`, newCopy(randomBytes(1000), at + index));
      }
      await sweepAll(on.store, { cacheBytes: 100_000 });
      assert.equal(await countIn(on.options, 'pages', `team_id = '${small.teamId}'`), 10);
      const left = await countIn(on.options, 'pages', `team_id = '${large.teamId}'`);
      assert.ok(left >= 84 && left <= 90, `${left} kept`);
      assert.notEqual(await on.store.pages.get(large.teamId, '199'), null);
    });

    test('documents of cached pages count towards the size, and are removed with their page', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      const at = now();
      const addPage = async (index: number) => {
        const key = `${index}`;
        await on.store.pages.put(owner.teamId, key, newCopy(randomBytes(1000), at + index));
        const place = { teamId: owner.teamId, key, shape: 'markdown', copiedAt: at + index };
        const cached = { ...place, warning: null, costs: null, leads: null };
        await on.store.scrapes.record(newScrape(owner, { document: randomBytes(3000).toString('hex'), cached }));
      };
      for (let index = 0; index < 20; index++) await addPage(index);
      const { cacheBytes } = await on.store.teams.measure(owner.teamId);
      assert.equal(await on.store.cacheBytes(), cacheBytes);
      assert.ok(cacheBytes > 20 * 4000 && cacheBytes < 20 * 4500, `${cacheBytes} bytes`);

      // Space for ten and a half: sizes differ by a few bytes.
      await sweepAll(on.store, { cacheBytes: (cacheBytes * 10.5) / 20 });
      assert.equal(await countIn(on.options, 'pages'), 10);
      assert.equal(await countIn(on.options, 'page_documents'), 10);
      const left = await on.store.pages.getDocument(owner.teamId, '19', 'markdown');
      assert.ok(left !== null && 'document' in left);
      // Documents of a copy that is gone or was replaced are not stored.
      const late = { shape: 'late', warning: null, costs: null, leads: null, teamId: owner.teamId };
      for (const place of [
        { key: '0', copiedAt: at },
        { key: '19', copiedAt: at },
      ]) {
        await on.store.scrapes.record(newScrape(owner, { cached: { ...late, ...place } }));
      }
      assert.equal(await countIn(on.options, 'page_documents'), 10);

      await sweepAll(on.store, { now: at + 31 * DAY_MS });
      assert.equal(await countIn(on.options, 'page_documents'), 0);
    });

    test('a deleted team is removed with all its data, in steps, and no other team loses anything', async () => {
      await using on = await open();
      const [owner, other] = [await makeTeam(on.store), await makeTeam(on.store)];
      for (const one of [owner, other]) {
        for (let index = 0; index < 150; index++) {
          const scrape = newScrape(one);
          const charge = newCharge(one, { key: `scrape:${scrape.id}` });
          await on.store.scrapes.record({ ...scrape, charge });
        }
        const copy = newCopy('cached');
        await on.store.pages.put(one.teamId, 'key', copy);
        const place = { teamId: one.teamId, key: 'key', shape: 'markdown', copiedAt: copy.storedAt };
        const cached = { ...place, warning: null, costs: null, leads: null };
        await on.store.scrapes.record(newScrape(one, { cached }));
        await addJob(on.store, one, { pages: 3, done: 3, at: now() });
        await addJob(on.store, one, { pages: 3, done: 2, at: now() });
        const reservation = { teamId: one.teamId, id: newId(), credits: 1, createdAt: now(), expiresAt: now() + HOUR };
        await on.store.usage.reserve(reservation, YEARS, 1000);
      }
      const kept = await on.store.teams.measure(other.teamId);
      const bare = { resultBytes: 0, cacheBytes: 0 };
      assert.deepEqual({ ...kept, ...bare }, { ...(await on.store.teams.measure(owner.teamId)), ...bare });
      assert.deepEqual(
        { ...kept, ...bare },
        {
          ...{ keys: 1, jobs: 2, runningJobs: 1, results: 156, cachedPages: 1, credits: 150, calls: 153 },
          ...bare,
        },
      );

      assert.equal(await on.store.teams.markDeleted(owner.teamId, now()), true);
      assert.equal(await on.store.keys.find(owner.keyHash), null);
      assert.equal(await on.store.teams.deleteSome(owner.teamId, now()), 'more');
      // As after a crash: sweeps do the rest.
      await sweepAll(on.store, {});
      assert.deepEqual(
        (await on.store.teams.list()).map(({ id }) => id),
        [other.teamId],
      );
      assert.deepEqual(await on.store.teams.measure(other.teamId), kept);
      assert.notEqual(await on.store.keys.find(other.keyHash), null);
      const tables = [
        'api_keys',
        'pages',
        'page_documents',
        'scrapes',
        'charges',
        'usage_days',
        'reservations',
        'activity',
        'jobs',
      ];
      for (const table of [...tables, 'job_teams']) {
        assert.equal(await countIn(on.options, table, `team_id = '${owner.teamId}'`), 0, table);
      }
      assert.equal(await countIn(on.options, 'job_progress', 'team not in (select number from job_teams)'), 0);
      assert.equal(await countIn(on.options, 'job_tasks'), 6);
      assert.equal(await countIn(on.options, 'job_results'), 5);
    });

    test('a team with running pages is deleted when those have ended', async () => {
      await using on = await open();
      const owner = await makeTeam(on.store);
      await addJob(on.store, owner, { pages: 2, done: 1, at: now() });
      const worker = await on.store.jobs.addWorker(now() + HOUR);
      const claim = {
        worker,
        limit: 1,
        at: now() + 2 * HOUR,
        concurrency: { unlimited: null },
        full: { teams: [], jobs: [] },
      };
      const [page] = await on.store.jobs.claim(claim);
      assert.ok(page);
      await on.store.teams.markDeleted(owner.teamId, now());
      assert.equal(await on.store.teams.deleteSome(owner.teamId, now()), 'more', 'the job is cancelled');
      assert.equal(await on.store.teams.deleteSome(owner.teamId, now()), 'waiting');
      await sweepAll(on.store, {});
      assert.equal(await countIn(on.options, 'teams'), 1);
      const end: TaskEnd = { type: 'failed', tryId: newId(), code: 'INTERNAL_ERROR', message: '', charge: null };
      await on.store.jobs.complete({ worker, at: now(), ended: [{ ...page, end }], hosts: [] });
      await sweepAll(on.store, {});
      assert.equal(await countIn(on.options, 'teams'), 0);
    });
  });
}
