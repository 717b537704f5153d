import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch, newScrape } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { now } from '../clock.ts';
import { Artifacts } from './artifacts/artifacts.ts';
import { folderKeeper } from './artifacts/folder-keeper.ts';
import { ConstraintError } from './constraint-error.ts';
import type { Runner } from './database.ts';
import { MemoryLimits } from './limits/memory-limits.ts';
import { removeExpiredJob } from './operations/jobs/remove-jobs.ts';
import { removeExpiredScrapes } from './operations/remove-by-time.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { generateSecret, ServiceSecret } from './sealing/service-secret.ts';
import { Sealing } from './sealing.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { createStore, type Store } from './store.ts';
import { sweep } from './sweep.ts';

/** A job that has expired by the time of the sweep. */
async function expiredJob(store: Store): Promise<string> {
  const owner = await makeTeam(store);
  const batch = newBatch(owner, [{ key: null, payload: 'http://page.test/', host: 'page.test', depth: 0 }]);
  await store.jobs.start(batch);
  const { id } = batch.job;
  await store.jobs.cancel(owner.teamId, 'batch', id);
  return id;
}

for (const { name, skip, create } of STORE_KINDS) {
  test(`a row that ${name} refuses to remove does not keep others, and the sweep ends`, { skip }, async () => {
    await using place = await create();
    const { databaseUrl, dataDir } = place.options;
    const runner = databaseUrl === undefined ? await openSqlite(dataDir) : await openPostgres(databaseUrl);
    const secret = generateSecret();
    const keeper = folderKeeper('unused');
    const store = createStore({ runner, limits: new MemoryLimits(), keeper }, secret);
    const serviceSecret = new ServiceSecret(secret);
    const sealing = new Sealing(runner, serviceSecret);
    const stuck = await expiredJob(store);
    await expiredJob(store);
    const { teamId, keyId } = await makeTeam(store);
    await store.scrapes.record(newScrape({ teamId, keyId }, { expiresAt: 1 }));
    const never = new ConstraintError('reference', 'still used');
    const refusing: Runner = {
      ...runner,
      close: () => runner.close(),
      read: (operation, input) => runner.read(operation, input),
      write(operation, input) {
        const isStuck =
          Object.is(operation, removeExpiredScrapes) ||
          (Object.is(operation, removeExpiredJob) && JSON.stringify(input).includes('"skip":0'));
        return isStuck ? Promise.reject(never) : runner.write(operation, input);
      },
      scrub: () => runner.scrub(),
      writeOnce: (operation, input) => runner.writeOnce(operation, input),
    };
    const artifacts = new Artifacts(refusing, keeper, serviceSecret);
    const errors: unknown[] = [];
    const sweepOnce = () =>
      sweep({ runner: refusing, sealing, artifacts }, { now: now() + 60_000, cacheBytes: 1e12 }, (error) =>
        errors.push(error),
      );
    assert.equal(await sweepOnce(), true);
    assert.equal(await sweepOnce(), false, 'a refusal does not count as progress');
    assert.ok(errors.length >= 4 && errors.every((error) => error === never));
    const left = await rowsIn(place.options, 'select id from jobs');
    assert.deepEqual(
      left.map(({ id }) => id),
      [stuck],
    );
    await store.close();
  });
}
