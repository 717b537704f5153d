import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { runJobs } from '../../test/support/run-jobs.ts';
import { makeTeam, newCharge, newCopy, newKeyRow, newScrape, newTeamRow } from '../../test/support/store-rows.ts';
import { STORE_KINDS, type StoreLocation } from '../../test/support/stores.ts';
import { newId, now, useClock } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { ConstraintError } from './constraint-error.ts';
import { openStore } from './open-store.ts';
import type { Charge } from './operations/charges.ts';
import type { Store } from './store.ts';

const HOUR = 3_600_000;
/** More than any test stores. */
const ROOM = 1e12;

/** The text of the team's copy with the key `key`. */
async function textOf(store: Store, teamId: string): Promise<string | undefined> {
  const body = (await store.pages.get(teamId, 'key'))?.page.body;
  return body && Buffer.from(body).toString();
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`the store in ${name}`, { skip }, () => {
    let place: StoreLocation;
    let store: Store;
    before(async () => {
      place = await create();
      store = await openStore(place.options);
    });
    after(async () => {
      await store.close();
      await place[Symbol.asyncDispose]();
    });

    describe('keeps keys', () => {
      test('and finds one by its hash, with its team, plan and restrictions', async () => {
        const teamId = newId();
        const key = newKeyRow(teamId, { formats: '["markdown"]', endpointGroups: '["scrape"]' });
        await store.teams.make(newTeamRow(teamId, { plan: 'bespoke', billingAnchor: 31 }), key);
        const owner = {
          keyId: key.id,
          keyName: 'test',
          formats: '["markdown"]',
          endpointGroups: '["scrape"]',
          teamId,
          plan: 'bespoke',
          planLimits: null,
          billingAnchor: 31,
          allowList: null,
          revokedAt: null,
        };
        assert.deepEqual(await store.keys.find(key.hash), owner);
        await store.plans.put({ name: 'bespoke', limits: '{"of":"the operator"}' });
        assert.deepEqual(await store.keys.find(key.hash), { ...owner, planLimits: '{"of":"the operator"}' });
      });

      test('and finds none by anything but a hash', async () => {
        const { keyHash } = await makeTeam(store);
        assert.equal(await store.keys.find(keyHash.toUpperCase()), null);
      });

      test('and adds the same hash once', async () => {
        const { teamId, keyHash } = await makeTeam(store);
        assert.equal(await store.keys.add(newKeyRow(teamId, { name: 'second' })), true);
        assert.equal(await store.keys.add(newKeyRow(teamId, { hash: keyHash })), false);
        const names = (await store.keys.list(teamId)).map((key) => key.name);
        assert.deepEqual(names, ['test', 'second']);
      });

      test('and marks a revoked one, once, and only for its own team', async () => {
        const { teamId, keyId, keyHash } = await makeTeam(store);
        const stranger = await makeTeam(store);
        assert.equal(await store.keys.revoke(stranger.teamId, keyId, 1000), false);
        assert.equal(await store.keys.revoke(teamId, newId(), 1000), false);
        assert.equal((await store.keys.find(keyHash))?.revokedAt, null);

        assert.equal(await store.keys.revoke(teamId, keyId, 1000), true);
        assert.equal(await store.keys.revoke(teamId, keyId, 2000), false);
        assert.equal((await store.keys.find(keyHash))?.revokedAt, 1000);
        assert.deepEqual(
          (await store.keys.list(teamId)).map((key) => [key.id, key.revokedAt]),
          [[keyId, 1000]],
        );
      });

      test('and refuses one for a team that does not exist', async () => {
        await assert.rejects(store.keys.add(newKeyRow(newId())), refusedAs('reference'));
      });
    });

    test('creates a team exactly once, with the key of the successful caller', async () => {
      const others = await Promise.all([openStore(place.options), openStore(place.options)]);
      const id = newId();
      const team = newTeamRow(id, { name: 'once' });
      const tries = Array.from({ length: 30 }, (_, index) => {
        const key = newKeyRow(id, { name: `key ${index}` });
        const one = [store, ...others][index % 3] ?? store;
        return one.teams.make(team, key).then((made) => ({ made, key }));
      });
      const made = (await Promise.all(tries)).filter((result) => result.made);
      assert.equal(made.length, 1);
      assert.deepEqual(
        (await store.keys.list(id)).map((key) => key.id),
        made.map(({ key }) => key.id),
      );
      await Promise.all(others.map((other) => other.close()));
    });

    describe('keeps plans', () => {
      test('by name, and replaces an earlier one with a later one', async () => {
        const name = newId();
        assert.equal(await store.plans.find(name), null);
        await store.plans.put({ name, limits: '{}' });
        await store.plans.put({ name, limits: '{"later":true}' });
        assert.deepEqual(await store.plans.find(name), { name, limits: '{"later":true}' });
        assert.deepEqual(
          (await store.plans.list()).filter((plan) => plan.name === name),
          [{ name, limits: '{"later":true}' }],
        );
      });

      test('and removes one that teams are on only on request', async () => {
        const name = newId();
        await store.plans.put({ name, limits: '{}' });
        const teamId = newId();
        await store.teams.make(newTeamRow(teamId, { plan: name }), newKeyRow(teamId));
        assert.equal(await store.plans.remove(name, { whileUsed: false }), false);
        assert.equal(await store.plans.remove(name, { whileUsed: true }), true);
        assert.equal(await store.plans.remove(name, { whileUsed: true }), false);
        assert.equal(await store.plans.find(name), null);
      });
    });

    describe('keeps copies of pages', () => {
      test('of text, with its bytes', async () => {
        const { teamId } = await makeTeam(store);
        const copy = newCopy('<p>Grüße, 世界 😀</p>', 1000);
        await store.pages.put(teamId, 'key', copy);
        const found = await store.pages.get(teamId, 'key');
        assert.ok(found !== null);
        assert.deepEqual({ ...found.page, body: Buffer.from(found.page.body) }, copy.page);
        assert.equal(found.storedAt, 1000);
      });

      test('of every size, byte for byte', async () => {
        const { teamId } = await makeTeam(store);
        const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
        for (const body of [
          new Uint8Array(),
          all,
          randomBytes(65_536),
          randomBytes(65_537),
          new Uint8Array(3e6).fill(1),
        ]) {
          await store.pages.put(teamId, 'key', newCopy(body));
          const found = await store.pages.get(teamId, 'key');
          assert.equal(found?.page.isText, false);
          assert.equal(Buffer.compare(found.page.body, body), 0, `${body.byteLength} bytes`);
        }
      });

      test('of 20 MB that cannot be compressed', async () => {
        const { teamId } = await makeTeam(store);
        const body = randomBytes(20_000_000);
        await store.pages.put(teamId, 'key', newCopy(body));
        assert.equal(body.byteLength, 20_000_000, 'the caller keeps its bytes');
        const found = await store.pages.get(teamId, 'key');
        assert.ok(found !== null);
        assert.equal(Buffer.compare(found.page.body, body), 0);
      });

      test('for one team only', async () => {
        const [mine, other] = [await makeTeam(store), await makeTeam(store)];
        await store.pages.put(mine.teamId, 'key', newCopy('mine'));
        assert.equal(await store.pages.get(other.teamId, 'key'), null);
        await store.pages.put(other.teamId, 'key', newCopy('theirs'));
        assert.equal(await textOf(store, mine.teamId), 'mine');
      });

      test('and replaces an older one with a newer one, never the other way round', async () => {
        const { teamId } = await makeTeam(store);
        await store.pages.put(teamId, 'key', newCopy('second', 2000));
        await store.pages.put(teamId, 'key', newCopy('first', 1000));
        assert.equal(await textOf(store, teamId), 'second');
        await store.pages.put(teamId, 'key', newCopy('third', 2000));
        assert.equal(await textOf(store, teamId), 'third');
      });

      test('lists the addresses of a domain, page by page, and none of another team', async () => {
        const { teamId } = await makeTeam(store);
        const other = await makeTeam(store);
        const put = (team: string, url: string) => {
          const { page, storedAt } = newCopy('page');
          return store.pages.put(team, url, { page: { ...page, url }, storedAt });
        };
        const own = ['https://example.com/a', 'http://example.com:8080/b', 'https://www.example.com/c'];
        const like = [
          'https://example.com-shop.org/',
          'https://example.org/',
          'https://notexample.com/',
          'https://com/',
        ];
        for (const url of [...own, ...like]) await put(teamId, url);
        await put(other.teamId, 'https://example.com/theirs');
        const listed: string[] = [];
        let after = null;
        do {
          const { urls, next } = await store.pages.ofDomain(teamId, 'example.com', { after, limit: 2 });
          assert.ok(urls.length <= 2);
          listed.push(...urls);
          after = next;
        } while (after !== null);
        assert.deepEqual(listed.sort(), own.sort());
      });

      test('and returns none for another key', async () => {
        const { teamId } = await makeTeam(store);
        await store.pages.put(teamId, 'key', newCopy('page', 1000));
        assert.equal((await store.pages.get(teamId, 'key'))?.storedAt, 1000);
        assert.equal(await store.pages.get(teamId, 'another key'), null);
      });
    });

    describe('records scrapes', () => {
      test('and returns the response unchanged', async () => {
        const owner = await makeTeam(store);
        const document = JSON.stringify({ markdown: 'x'.repeat(100_000), title: 'Grüße\0😀' });
        const scrape = newScrape(owner, { document });
        await store.scrapes.record(scrape);
        const { outcome, errorCode, errorMessage, createdAt, expiresAt } = scrape;
        const expected = { outcome, errorCode, errorMessage, createdAt, expiresAt, formats: ['markdown'], document };
        assert.deepEqual(await store.scrapes.get(owner.teamId, scrape.id), expected);
      });

      test('that failed, or of which nothing may be stored', async () => {
        const owner = await makeTeam(store);
        const failed = newScrape(owner, {
          outcome: 'failed',
          errorCode: 'SCRAPE_TIMEOUT',
          // PostgreSQL does not accept U+0000 in text.
          errorMessage: 'Too \0 slow',
          url: null,
          options: null,
          document: null,
        });
        await store.scrapes.record(failed);
        const found = await store.scrapes.get(owner.teamId, failed.id);
        assert.equal(found?.outcome, 'failed');
        assert.equal(found.errorCode, 'SCRAPE_TIMEOUT');
        assert.equal(found.errorMessage, 'Too \u{fffd} slow');
        assert.equal(found.document, null);
      });

      test('for their team only, and until they expire', async () => {
        const [mine, other] = [await makeTeam(store), await makeTeam(store)];
        const scrape = newScrape(mine);
        await store.scrapes.record(scrape);
        assert.equal(await store.scrapes.get(other.teamId, scrape.id), null);
        assert.equal(await store.scrapes.get(mine.teamId, newId()), null);
        const ofClient = newScrape(mine, { client: '192.0.2.1' });
        await store.scrapes.record(ofClient);
        assert.ok(await store.scrapes.get(mine.teamId, ofClient.id, '192.0.2.1'));
        for (const client of ['192.0.2.2', null]) {
          assert.equal(await store.scrapes.get(mine.teamId, ofClient.id, client), null);
        }
        assert.equal(await store.scrapes.get(mine.teamId, scrape.id, '192.0.2.1'), null);
        const restore = useClock(() => scrape.expiresAt);
        try {
          assert.equal(await store.scrapes.get(mine.teamId, scrape.id), null);
        } finally {
          restore();
        }
      });

      test('with their charge and their line in the activity log: all or nothing', async () => {
        const owner = await makeTeam(store);
        const days = { firstDay: 0, endDay: 1e6 };
        const used = async () => (await store.usage.balance(owner.teamId, days, now())).used;
        const logged = async () => {
          const query = { teamId: owner.teamId, endpoint: null, before: null, limit: 10 };
          return (await store.activity.list(query)).map(({ id }) => id);
        };
        const scrape = newScrape(owner, { charge: newCharge(owner, { key: 'scrape:1', credits: 5 }) });
        await store.scrapes.record(scrape);
        assert.deepEqual([await used(), await logged()], [5, [scrape.id]]);
        const stranger = { ...owner, keyId: newId() };
        const refused = newScrape(stranger, { charge: newCharge(owner, { key: 'scrape:2', credits: 7 }) });
        await assert.rejects(store.scrapes.record(refused), refusedAs('reference'));
        assert.deepEqual([await used(), await logged()], [5, [scrape.id]]);
        // A charge that exists is ignored, and no reason to refuse the record.
        const other = newScrape(owner, { charge: newCharge(owner, { key: 'scrape:1', credits: 9 }) });
        await store.scrapes.record(other);
        assert.deepEqual([await used(), (await logged()).length], [5, 2]);
      });

      test('and changes nothing the second time: the outcome of a commit is unknown if its response was lost', async () => {
        const owner = await makeTeam(store);
        const scrape = newScrape(owner, { charge: newCharge(owner, { key: 'scrape:3', credits: 5 }) });
        for (let time = 0; time < 2; time++) await store.scrapes.record(scrape);
        assert.equal((await store.usage.balance(owner.teamId, { firstDay: 0, endDay: 1e6 }, now())).used, 5);
        const logged = await store.activity.list({ teamId: owner.teamId, endpoint: null, before: null, limit: 10 });
        assert.deepEqual(
          logged.map(({ id }) => id),
          [scrape.id],
        );
      });
    });

    test('rolls back only the refused one of many concurrent writes', async () => {
      const owner = await makeTeam(store);
      const scrapes = Array.from({ length: 200 }, (_, index) =>
        newScrape(index % 5 === 0 ? { ...owner, keyId: newId() } : owner, { document: `{"index":${index}}` }),
      );
      const results = await Promise.allSettled(scrapes.map((scrape) => store.scrapes.record(scrape)));
      for (const [index, result] of results.entries()) {
        const found = await store.scrapes.get(owner.teamId, scrapes[index]?.id ?? '');
        if (index % 5 === 0) {
          assert.ok(result.status === 'rejected' && refusedAs('reference')(result.reason));
          assert.equal(found, null);
        } else {
          assert.equal(result.status, 'fulfilled');
          assert.equal(found?.document, `{"index":${index}}`);
        }
      }
    });

    describe('sweeps', () => {
      test('expired scrapes, and no others', async () => {
        const owner = await makeTeam(store);
        const old = newScrape(owner, { expiresAt: now() + HOUR });
        const recent = newScrape(owner, { expiresAt: now() + 2 * HOUR });
        await store.scrapes.record(old);
        await store.scrapes.record(recent);
        await sweepAll(store, { now: old.expiresAt, cacheBytes: ROOM });
        // Read at a time before it expires, so that only the sweep can have removed it.
        assert.equal(await store.scrapes.get(owner.teamId, old.id), null);
        assert.notEqual(await store.scrapes.get(owner.teamId, recent.id), null);
      });

      test('copies of pages that are too old to be used', async () => {
        const { teamId } = await makeTeam(store);
        const time = now();
        await store.pages.put(teamId, 'old', newCopy('old', time - 31 * 24 * HOUR));
        await store.pages.put(teamId, 'recent', newCopy('recent', time - 29 * 24 * HOUR));
        await sweepAll(store, { now: time, cacheBytes: ROOM });
        assert.equal(await store.pages.get(teamId, 'old'), null);
        assert.notEqual(await store.pages.get(teamId, 'recent'), null);
      });

      test('the oldest copies until the rest fits, whoever owns them', async () => {
        await sweepAll(store, { now: now(), cacheBytes: 0 });
        const teams = [await makeTeam(store), await makeTeam(store)];
        const time = now();
        const teamOf = (index: number) => teams[index % 2]?.teamId ?? '';
        const indexes = Array.from({ length: 300 }, (_, index) => index);
        const put = (index: number) =>
          store.pages.put(teamOf(index), `key ${index}`, newCopy(randomBytes(1000), time + index));
        await Promise.all(indexes.map(put));
        // An incompressible body grows by a few bytes.
        await sweepAll(store, { now: time, cacheBytes: 100_500 });
        const kept = await Promise.all(indexes.map((index) => store.pages.get(teamOf(index), `key ${index}`)));
        const newest = kept.flatMap((copy, index) => (copy === null ? [] : [index]));
        assert.deepEqual(newest, indexes.slice(-newest.length));
        assert.ok(newest.length >= 98 && newest.length <= 100, `${newest.length} copies kept`);
      });

      test('a bounded number at a time, and reports whether more is left', async () => {
        const owner = await makeTeam(store);
        const expiresAt = now() + HOUR;
        const scrapes = Array.from({ length: 2100 }, () => newScrape(owner, { document: null, expiresAt }));
        await runJobs(scrapes, 32, (scrape) => store.scrapes.record(scrape));
        assert.equal(await store.sweep({ now: expiresAt, cacheBytes: ROOM }), true);
        const left = await Promise.all(scrapes.map(({ id }) => store.scrapes.get(owner.teamId, id)));
        assert.equal(left.filter((scrape) => scrape !== null).length, 100);
        await sweepAll(store, { now: expiresAt, cacheBytes: ROOM });
        for (const { id } of scrapes) assert.equal(await store.scrapes.get(owner.teamId, id), null);
      });
    });

    test('knows when something was last delivered to a team, whatever the order of charges', async () => {
      const owner = await makeTeam(store);
      const day = 86_400_000;
      const charge = async (key: Charge['key'], chargedAt: number) => {
        await store.usage.charge(newCharge(owner, { key, chargedAt }));
        return store.usage.lastSuccess(owner.teamId);
      };
      assert.equal(await store.usage.lastSuccess(owner.teamId), null);
      assert.equal(await charge(`map:${newId()}`, 3 * day), null);
      assert.equal(await charge('page:older job:1', 2 * day + 100), 2 * day + 100);
      assert.equal(await charge('page:newer job:1', 2 * day + 50), 2 * day + 100);
      assert.equal(await charge('scrape:older', 2 * day + 200), 2 * day + 200);
      assert.equal(await charge('scrape:newer', day), 2 * day + 200);
      assert.equal(await charge('page:older job:0', 2 * day + 300), 2 * day + 300);
      assert.equal(await charge('lockdown-miss:newest', 2 * day + 400), 2 * day + 300);
      assert.equal(await charge('page:older job:2', 3 * day + 1), 3 * day + 1);
      assert.equal(await store.usage.lastSuccess((await makeTeam(store)).teamId), null);
    });

    describe('refuses for good, as one kind of error,', () => {
      const hostPace = (host: string, delay: number) =>
        store.jobs.complete({ worker: 0, at: 0, ended: [], hosts: [{ type: 'slower', host, nextAt: 0, delay }] });

      for (const [what, delay] of [
        ['a fraction where a whole number belongs', 333.3],
        ['not a number', Number.NaN],
        ['an infinite number', Number.POSITIVE_INFINITY],
        ['a number over 64 bits', 2 ** 65],
      ] as const) {
        test(what, async () => {
          await assert.rejects(hostPace('fraction.test', delay), refusedAs('value'));
        });
      }

      test('a name that is too long for an index, if the database has such a limit', async () => {
        // Random, because PostgreSQL compresses index entries.
        const agent = randomBytes(8_000).toString('hex');
        const pace = { type: 'robots' as const, host: 'long.test', team: 0, lane: 0, agent, nextAt: 0, delay: 1 };
        const set = store.jobs.complete({ worker: 0, at: 0, ended: [], hosts: [pace] });
        if (name === 'PostgreSQL') await assert.rejects(set, refusedAs('value'));
        else await set;
      });
    });

    test('is ready while it is open, and unavailable when it is closed', async () => {
      const other = await openStore(place.options);
      await other.ready();
      const owner = await makeTeam(other);
      const key = newKeyRow(owner.teamId);
      const unfinished = other.keys.add(key);
      await other.close();
      assert.equal(await unfinished, true);
      assert.notEqual(await store.keys.find(key.hash), null);

      const calls = [
        () => other.ready(),
        () => other.keys.find(key.hash),
        () => other.scrapes.record(newScrape(owner)),
      ];
      for (const call of calls) await assert.rejects(call, isUnavailable);
      await store.ready();
    });
  });
}

function refusedAs(kind: ConstraintError['kind']): (error: unknown) => boolean {
  return (error) => error instanceof ConstraintError && error.kind === kind;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof TrawlError && error.code === 'STORE_UNAVAILABLE';
}

async function sweepAll(store: Store, limits: Parameters<Store['sweep']>[0]): Promise<void> {
  while (await store.sweep(limits));
}
