import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { foundBelow } from '../../../test/support/marked-files.ts';
import { rowsIn } from '../../../test/support/rows.ts';
import { makeTeam, newCopy, newScrape } from '../../../test/support/store-rows.ts';
import { newId, now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { openStore } from '../open-store.ts';
import { text } from '../row.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './open-sqlite.ts';

test('only this user can access the folder and its files', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'new', 'data');
  const store = await openStore({ dataDir });
  await makeTeam(store);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  const files = readdirSync(dataDir);
  assert.deepEqual(files.sort(), ['secret', 'trawl.db', 'trawl.db-shm', 'trawl.db-wal']);
  for (const file of files) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
  await store.close();
  assert.deepEqual(readdirSync(dataDir).sort(), ['secret', 'trawl.db'], 'a closed store has no log');
});

test('the error for an unusable data directory names it', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  await assert.rejects(openStore({ dataDir: file }), isUnavailable(/The data directory .*file cannot be used/));
});

test('the error for a file that is not a database says what to do', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'trawl.db'), 'something else entirely\n'.repeat(100));
  await assert.rejects(openStore({ dataDir: folder.path }), isUnavailable(/not a database: choose another/));
});

test('disk space is freed when pages are removed', async () => {
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

test('erased keys of jobs leave no copy in the file or its log', async () => {
  await using folder = await temporaryFolder();
  const store = await openStore({ dataDir: folder.path });
  const owner = await makeTeam(store);
  // Enough for several pages of a b-tree, which are merged as keys are erased. Every tenth job runs until the others
  // are gone.
  const ids: string[] = [];
  for (let index = 0; index < 200; index++) ids.push(await startHiddenJob(store, owner));
  const keys = (await rowsIn({ dataDir: folder.path }, 'select sealed_key from job_keys')).map((row) =>
    text(row.sealed_key),
  );
  assert.equal(keys.length, 200);
  assert.equal((await foundBelow(folder.path, keys)).length, 200);
  const cancel = async (which: (index: number) => boolean) => {
    for (const id of ids.filter((_, index) => which(index))) await store.jobs.cancel(owner.teamId, 'batch', id);
    while (await store.sweep({ now: now() + 3_600_001, cacheBytes: 0 }));
  };
  await cancel((index) => index % 10 !== 0);
  assert.equal((await rowsIn({ dataDir: folder.path }, 'select job from job_keys')).length, 20);
  await cancel(() => true);
  assert.deepEqual(await foundBelow(folder.path, keys), []);
  await store.close();
});

test('a write that is not listed is rejected before anything happens', async () => {
  await using folder = await temporaryFolder();
  const runner = await openSqlite(folder.path);
  async function unlisted(_db: Database): Promise<void> {}
  assert.throws(() => runner.write(unlisted, undefined), /unlisted is not listed in operations\/writes.ts/);
  await runner.close();
});

function isUnavailable(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof TrawlError && error.code === 'STORE_UNAVAILABLE' && message.test(error.message);
}

/** Starts a batch with zero data retention. Returns its id. */
async function startHiddenJob(store: Store, { teamId, keyId }: { teamId: string; keyId: string }): Promise<string> {
  const of = { id: newId(), teamId, keyId, apiVersion: 'v2', createdAt: now() };
  const bounds = { taskCredits: 1, priority: 0, taskLimit: null, maxConcurrency: null, delay: 0, keepMs: 3_600_000 };
  await store.jobs.start({
    job: { ...of, ...bounds, kind: 'batch', options: '{}', formats: ['markdown'], hidesTasks: true, conclusion: null },
    tasks: [{ key: null, payload: 'https://example.com/', host: 'example.com', depth: 0 }],
    limits: { queuedTasks: null, credits: null },
    request: null,
    webhook: null,
    activity: { ...of, endpoint: 'batch_scrape', target: null, origin: null, integration: null, auditUsername: null },
  });
  return of.id;
}
