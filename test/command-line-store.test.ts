import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../src/store/open-store.ts';
import { temporaryFolder } from './support/folder.ts';
import { createDatabase, missingPostgres } from './support/postgres.ts';
import { runTrawl } from './support/process.ts';

const COMMANDS = [
  ['keys', 'create'],
  ['keys', 'list'],
  ['teams', 'list'],
  ['plans', 'list'],
  ['prices', 'list'],
] as const;

describe('operator commands in a folder without a service', { concurrency: 2 }, () => {
  for (const command of COMMANDS) {
    test(`trawl ${command.join(' ')} creates no database and says where to run it`, async () => {
      await using folder = await temporaryFolder();
      const { code, stdout, stderr } = await runTrawl([...command], {}, folder.path);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.equal(
        stderr,
        `error There is no Trawl database in ${join(folder.path, 'data')}. Run the command in the service's folder, or set TRAWL_DATA_DIR or DATABASE_URL.\n`,
      );
      assert.deepEqual(await readdir(folder.path), []);
    });
  }

  test('do not mistake an empty file for a database', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'trawl.db'), '');
    const { code, stderr } = await runTrawl(['keys', 'list'], { TRAWL_DATA_DIR: folder.path });
    assert.equal(code, 1);
    assert.match(stderr, /There is no Trawl database in /);
    assert.deepEqual(await readdir(folder.path), ['trawl.db']);
  });
});

describe('on PostgreSQL', { skip: (await missingPostgres()) ?? false }, () => {
  test('the commands leave a foreign database alone, and name the one they use without its password', async () => {
    await using database = await createDatabase();
    const settings = { DATABASE_URL: database.url };
    for (let round = 0; round < 2; round++) {
      const refused = await runTrawl(['keys', 'list'], settings);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^error There is no Trawl database at DATABASE_URL\. Start the service on it first/);
    }
    await (await openStore({ databaseUrl: database.url, dataDir: 'unused' })).close();
    const { code, stderr } = await runTrawl(['keys', 'list'], settings);
    const { host, pathname, password } = new URL(database.url);
    assert.deepEqual(
      { code, stderr },
      { code: 0, stderr: `Using the PostgreSQL database ${pathname.slice(1)} on ${host}\n` },
    );
    if (password !== '') assert.ok(!stderr.includes(password));
  });
});
