import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Folder, temporaryFolder } from '../../test/support/folder.ts';
import { STORE_KINDS, type StoreLocation } from '../../test/support/stores.ts';
import { TrawlError } from '../errors.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { authenticate, createKey, firstStart, listKeys, revokeKey } from './keys.ts';

for (const { name, skip, create } of STORE_KINDS) {
  describe(`the first start on ${name}`, { skip }, () => {
    let place: StoreLocation;
    let store: Store;
    beforeEach(async () => {
      place = await create();
      store = await openStore(place.options);
    });
    afterEach(async () => {
      await store.close();
      await place[Symbol.asyncDispose]();
    });

    test('creates a team on the plan "unlimited" with a working key, and later starts create nothing', async () => {
      const { key = '' } = await firstStart(store);
      assert.match(key, /^fc-[0-9a-f]{32}$/);
      const caller = await authenticate(store, key);
      assert.equal(caller?.plan.name, 'unlimited');
      assert.equal(caller.keyName, 'default');
      assert.deepEqual(await firstStart(store), {});
      assert.equal((await listKeys(store)).length, 1);
    });

    test('of several processes at once creates one key', async () => {
      const others = await Promise.all([openStore(place.options), openStore(place.options)]);
      const starts = await Promise.all([store, ...others, store, ...others].map((one) => firstStart(one)));
      assert.equal(starts.filter(({ key }) => key !== undefined).length, 1);
      assert.equal((await listKeys(store)).length, 1);
      await Promise.all(others.map((other) => other.close()));
    });

    test('of several processes at once adds a given key once, and creates no other', async () => {
      const starts = await Promise.all(Array.from({ length: 6 }, () => firstStart(store, 'a-key-of-my-own')));
      assert.deepEqual(starts, Array(6).fill({}));
      assert.deepEqual(
        (await listKeys(store)).map((key) => key.name),
        ['TRAWL_API_KEY'],
      );
      assert.notEqual(await authenticate(store, 'a-key-of-my-own'), null);
    });
  });
}

describe('keys', () => {
  let folder: Folder;
  let store: Store;
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await openStore({ dataDir: folder.path });
  });
  afterEach(async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  });

  test('a key that is given at a later start is added, and the others stay', async () => {
    const { key = '' } = await firstStart(store);
    assert.deepEqual(await firstStart(store, 'given later'), {});
    assert.deepEqual(await firstStart(store, 'and changed'), {});
    for (const each of [key, 'given later', 'and changed']) {
      assert.equal((await authenticate(store, each))?.plan.name, 'unlimited');
    }
  });

  test('a given key that was revoked stays revoked, and the start warns', async () => {
    await firstStart(store, 'given');
    await revokeKey(store, 'given');
    const { key, warning } = await firstStart(store, 'given');
    assert.equal(key, undefined);
    assert.match(warning ?? '', /TRAWL_API_KEY has been revoked/);
    assert.equal(await authenticate(store, 'given'), null);
  });

  test('a key can be created before the first start, which then creates no other', async () => {
    const { key } = await createKey(store, 'laptop');
    assert.equal((await authenticate(store, key))?.keyName, 'laptop');
    assert.deepEqual(await firstStart(store), {});
  });

  test('generated keys differ, and the list shows too little to guess the rest', async () => {
    const made = [await createKey(store, 'one'), await createKey(store, 'two')];
    assert.notEqual(made[0]?.key, made[1]?.key);
    const listed = await listKeys(store);
    assert.deepEqual(
      listed.map(({ id, name, hint }) => ({ id, name, hint })),
      made.map(({ id, key }, index) => ({
        id,
        name: ['one', 'two'][index],
        hint: `${key.slice(0, 7)}…${key.slice(-2)}`,
      })),
    );
    assert.ok(!JSON.stringify(listed).includes(made[0]?.key.slice(3) ?? ''));
  });

  test('a short given key is not shown at all', async () => {
    await firstStart(store, 'hunter2');
    assert.equal((await listKeys(store))[0]?.hint, '…');
  });

  test('a name that would be useless in a list is refused', async () => {
    for (const bad of ['', '  ', 'two\nlines', 'x'.repeat(101), '\u{7f}']) {
      await assert.rejects(createKey(store, bad), refusedAs('BAD_REQUEST'), JSON.stringify(bad));
    }
    await createKey(store, 'Ünïcode 😀'.padEnd(95, '.'));
  });

  for (const by of ['id', 'name', 'key'] as const) {
    test(`a key is revoked by its ${by}, and keeps its row`, async () => {
      const { id, key } = await createKey(store, 'laptop');
      const { key: other } = await createKey(store, 'other');
      const revoked = await revokeKey(store, { id, key, name: 'laptop' }[by]);
      assert.equal(revoked.id, id);
      assert.equal(await authenticate(store, key), null);
      assert.notEqual(await authenticate(store, other), null);
      const [first] = await listKeys(store);
      assert.equal(first?.name, 'laptop');
      assert.notEqual(first.revokedAt, null);
      // Revoking it again does nothing.
      await revokeKey(store, { id, key, name: 'laptop' }[by]);
      assert.equal((await listKeys(store))[0]?.revokedAt, first.revokedAt);
    });
  }

  test('a name that several keys have is refused until one is left', async () => {
    const one = await createKey(store, 'laptop');
    const two = await createKey(store, 'laptop');
    await assert.rejects(revokeKey(store, 'laptop'), (error) => {
      assert.ok(refusedAs('BAD_REQUEST')(error) && error instanceof Error);
      assert.ok(error.message.includes(one.id) && error.message.includes(two.id));
      return true;
    });
    await revokeKey(store, one.id);
    assert.equal((await revokeKey(store, 'laptop')).id, two.id);
  });

  test('an unknown key is refused, and is not in the message', async () => {
    await createKey(store, 'laptop');
    await assert.rejects(revokeKey(store, 'fc-secret'), (error) => {
      assert.ok(refusedAs('NOT_FOUND')(error) && error instanceof Error);
      assert.ok(!error.message.includes('fc-secret'));
      return true;
    });
  });

  test('text that only looks like a key authenticates nobody', async () => {
    const { key } = await createKey(store, 'laptop');
    const hint = (await listKeys(store))[0]?.hint ?? '';
    for (const wrong of ['', key.slice(0, -1), `${key} `, key.toUpperCase(), hint, 'laptop']) {
      assert.equal(await authenticate(store, wrong), null, wrong);
    }
  });
});

function refusedAs(code: TrawlError['code']): (error: unknown) => boolean {
  return (error) => error instanceof TrawlError && error.code === code;
}
