import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inTransaction } from '../../test/support/raw-database.ts';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { now } from '../clock.ts';
import { openStore } from './open-store.ts';
import type { ClaimedEvent, EventClaim } from './operations/jobs/deliver-events.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

/** A job of the team without pages, and a webhook with the event that it has started. */
async function startJob(store: Store, owner: { teamId: string; keyId: string }): Promise<string> {
  await store.webhooks.putSecret(owner.teamId, 'whsec_c2VjcmV0', { replaces: false });
  const batch = newBatch(owner, [{ key: null, payload: 'http://page.test/', host: 'page.test', depth: 0 }]);
  const events = ['started', 'failed'] as const;
  const webhook = { url: 'http://hook.test/', headers: '{}', metadata: '{}', events };
  const answer = await store.jobs.start({ ...batch, webhook });
  assert.equal(answer.type, 'accepted');
  return batch.job.id;
}

function claim(store: Store, given: Partial<EventClaim> = {}): Promise<ClaimedEvent[]> {
  const at = given.at ?? now();
  return store.webhooks.claim({ at, limit: 100, leaseUntil: at + 1_000, perTeam: 100, underWay: [], ...given });
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`events in ${name}`, { skip }, () => {
    test('belong to a claim until its lease expires, and then only the next claim can record an outcome', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      const owner = await makeTeam(store);
      const id = await startJob(store, owner);
      const at = now();
      const claims = await Promise.all([claim(store, { at }), claim(store, { at }), claim(store, { at })]);
      const [first, ...others] = claims.flat();
      assert.ok(first?.subjectId === id && first.type === 'started' && others.length === 0);
      assert.equal(await store.webhooks.nextAt(), at + 1_000);

      const [second] = await claim(store, { at: at + 1_000 });
      assert.deepEqual([second?.id, second?.attempts], [first.id, 0]);
      await store.webhooks.settle({ event: first, at, end: { type: 'delivered', status: 200 } });
      const state = async () => (await store.jobs.find(owner.teamId, 'batch', id))?.webhook;
      assert.deepEqual([(await state())?.delivered, (await state())?.nextAt], [0, at + 2_000]);
      assert.ok(second);
      await store.webhooks.settle({ event: second, at, end: { type: 'delivered', status: 200 } });
      assert.deepEqual([(await state())?.delivered, (await state())?.nextAt], [1, null]);
      await store.close();
    });

    test('of a subject that is no job are delivered under its own id, and deleted with the team', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      const owner = await makeTeam(store);
      // Gives the team its number.
      await startJob(store, owner);
      await inTransaction(place.options, async (db) => {
        const target = JSON.stringify({ url: 'http://hook.test/', headers: '{}', metadata: '{}' });
        await db.run(sql`
          insert into webhooks (
            team, team_id, subject, subject_id, job, target, events, total, delivered, failed, closed, claims, run_at
          )
          select number, team_id, 'monitor', 'its id', null, ${target}, 'changed', 1, 0, 0, 0, 0, 1 from job_teams`);
        await db.run(sql`
          insert into webhook_events (team, webhook, seq, id, type, data, state, attempts, created_at)
          select team, number, 0, 'event', 'changed', '{}', 0, 0, 1 from webhooks where subject = 'monitor'`);
      });
      const [event] = await claim(store, { at: 1 });
      assert.ok(event);
      const { subjectId, kind, type, url, data } = event;
      assert.deepEqual([subjectId, kind, type, url, data], ['its id', 'monitor', 'changed', 'http://hook.test/', '{}']);
      await store.webhooks.settle({ event, at: 2, end: { type: 'delivered', status: 200 } });
      assert.deepEqual(await claim(store, { at: 2 }), []);

      await store.teams.markDeleted(owner.teamId, now());
      while ((await store.teams.deleteSome(owner.teamId, now())) === 'more');
      assert.equal(await store.teams.find(owner.teamId), null);
      assert.deepEqual(await rowsIn(place.options, 'select id from webhook_events'), []);
      await store.close();
    });

    test('that were not attempted are due again at once, and unchanged', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      await startJob(store, await makeTeam(store));
      const at = now();
      const [first] = await claim(store, { at });
      assert.ok(first);
      await store.webhooks.settle({ event: first, at, end: { type: 'returned' } });
      const [again] = await claim(store, { at });
      assert.deepEqual([again?.id, again?.attempts], [first.id, 0]);
      await store.close();
    });

    test('of a team with many jobs do not crowd out those of another team', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      const [loud, quiet] = [await makeTeam(store), await makeTeam(store)];
      for (let job = 0; job < 50; job++) await startJob(store, loud);
      await startJob(store, quiet);
      const at = now();
      const counts = (events: readonly ClaimedEvent[]) =>
        [loud, quiet].map(({ teamId }) => events.filter((event) => event.teamId === teamId).length);
      // Four times as many as requested are read: the quiet team comes after them.
      assert.deepEqual(counts(await claim(store, { at, limit: 5, perTeam: 3 })), [3, 0]);
      assert.deepEqual(counts(await claim(store, { at, limit: 5, perTeam: 3, underWay: [[loud.teamId, 3]] })), [0, 1]);
      assert.deepEqual(counts(await claim(store, { at, limit: 5, perTeam: 3, underWay: [[loud.teamId, 1]] })), [2, 0]);
      await store.close();
    });
  });
}
