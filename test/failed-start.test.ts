import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore, type StoreOptions } from '../src/store/open-store.ts';
import { runTrawl, startProcess } from './support/process.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { STORE_KINDS } from './support/stores.ts';
import { TEST_SETTINGS } from './support/trawl.ts';

/** Makes the database refuse every team, so that a first start fails after the service has begun to listen. */
async function refuseTeams({ databaseUrl, dataDir }: StoreOptions): Promise<void> {
  if (databaseUrl !== undefined) {
    await rowsIn({ databaseUrl, dataDir }, 'alter table teams add constraint no_teams check (false)');
    return;
  }
  using database = new DatabaseSync(join(dataDir, 'trawl.db'));
  database.exec(`create trigger no_teams before insert on teams begin select raise(abort, 'no_teams'); end`);
}

async function acceptTeams({ databaseUrl, dataDir }: StoreOptions): Promise<void> {
  if (databaseUrl !== undefined) {
    await rowsIn({ databaseUrl, dataDir }, 'alter table teams drop constraint no_teams');
    return;
  }
  using database = new DatabaseSync(join(dataDir, 'trawl.db'));
  database.exec('drop trigger no_teams');
}

for (const { name, skip, create } of STORE_KINDS) {
  test(`${name}: a first start that fails exits with 1 and one line, and the next start creates the key`, {
    skip,
  }, async () => {
    await using location = await create();
    const store = await openStore(location.options);
    await store.close();
    await refuseTeams(location.options);
    const settings = { ...TEST_SETTINGS, TRAWL_API_KEY: '', ...settingsOf(location.options) };
    const { code, stdout, stderr } = await runTrawl(['serve'], settings);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^error The database refused a write: .*no_teams.*\n$/);
    assert.equal(stdout, '');

    await acceptTeams(location.options);
    await using trawl = await startProcess(settings);
    const key = await trawl.line(/key, shown this once: (fc-\w+)/);
    assert.equal((await trawl.get('/v2/team/credit-usage', { key })).status, 200);
  });
}
