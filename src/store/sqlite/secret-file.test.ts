import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { secretBeside } from './secret-file.ts';

test('concurrent callers get the same new secret, and only this user can read it', async () => {
  await using folder = await temporaryFolder();
  const secrets = await Promise.all(Array.from({ length: 10 }, () => secretBeside(folder.path)));
  assert.equal(new Set(secrets).size, 1);
  assert.match(secrets[0] ?? '', /^[0-9a-f]{64}$/);
  assert.equal(await secretBeside(folder.path), secrets[0]);
  assert.deepEqual(readdirSync(folder.path), ['secret'], 'no temporary file is left');
  const file = join(folder.path, 'secret');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8'), `${secrets[0]}\n`);
});

test('a file without a secret is refused, and not replaced', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'secret'), 'short\n');
  await assert.rejects(secretBeside(folder.path), {
    code: 'STORE_UNAVAILABLE',
    message: /contains no secret\. Restore the file/,
  });
  assert.equal(readFileSync(join(folder.path, 'secret'), 'utf8'), 'short\n');
});
