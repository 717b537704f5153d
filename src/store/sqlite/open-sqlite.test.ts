import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { foundBelow } from '../../../test/support/marked-files.ts';
import { makeTeam, newCopy, newScrape } from '../../../test/support/store-rows.ts';
import { now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { openStore } from '../open-store.ts';
import { openSqlite } from './open-sqlite.ts';

test('the folder and its files are for this user alone', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'new', 'data');
  const store = await openStore({ dataDir });
  await makeTeam(store);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  const files = readdirSync(dataDir);
  assert.deepEqual(files.sort(), ['secret', 'trawl.db', 'trawl.db-shm', 'trawl.db-wal']);
  for (const file of files) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
  await store.close();
  assert.deepEqual(readdirSync(dataDir).sort(), ['secret', 'trawl.db'], 'a store that is closed has no log');
});

test('a data directory that cannot be used is refused with its name', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  await assert.rejects(openStore({ dataDir: file }), isUnavailable(/The data directory .*file cannot be used/));
});

test('a file that is no database is refused with what to do', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'trawl.db'), 'something else entirely\n'.repeat(100));
  await assert.rejects(openStore({ dataDir: folder.path }), isUnavailable(/not a database: choose another/));
});

test('disk is given back when pages go', async () => {
  await using folder = await temporaryFolder();
  const store = await openStore({ dataDir: folder.path });
  const owner = await makeTeam(store);
  for (let index = 0; index < 20; index++) {
    await store.pages.put(owner.teamId, `key ${index}`, newCopy(randomBytes(1_000_000)));
  }
  await store.scrapes.record(newScrape(owner));
  const sizeOf = () => statSync(join(folder.path, 'trawl.db')).size;
  const full = sizeOf();
  assert.ok(full > 15_000_000, `${full} bytes`);
  while (await store.sweep({ now: now(), cacheBytes: 0 }));
  await store.close();
  assert.ok(sizeOf() < 6_000_000, `${sizeOf()} of ${full} bytes are left`);
});

test('what is removed is overwritten in the file', async () => {
  await using folder = await temporaryFolder();
  const store = await openStore({ dataDir: folder.path });
  const owner = await makeTeam(store);
  const copy = newCopy(randomBytes(20_000));
  for (let index = 0; index < 20; index++) {
    const page = { ...copy.page, url: `https://example.com/wombat/${index}/${'long'.repeat(500)}` };
    await store.pages.put(owner.teamId, `key ${index}`, { ...copy, page });
  }
  const traces = () => foundBelow(folder.path, ['wombat']);
  assert.equal((await traces()).length, 1);
  while (await store.sweep({ now: now() + 1, cacheBytes: 0 }));
  await store.close();
  assert.deepEqual(await traces(), []);
});

test('a write that is not listed is refused before anything happens', async () => {
  await using folder = await temporaryFolder();
  const runner = await openSqlite(folder.path);
  async function unlisted(_db: Database): Promise<void> {}
  assert.throws(() => runner.write(unlisted, undefined), /unlisted is not listed in operations\/writes.ts/);
  await runner.close();
});

function isUnavailable(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof TrawlError && error.code === 'STORE_UNAVAILABLE' && message.test(error.message);
}
