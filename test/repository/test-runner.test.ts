import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

const RUNNER = join(import.meta.dirname, '..', '..', 'scripts', 'test.ts');

test('counts passed, failed and skipped tests on the last line, and names the failures and the reasons for skips', async () => {
  const { status, lines } = await runTests({
    'mixed.test.ts': `
      import { describe, test } from 'node:test';
      test('adds', () => {});
      describe('outer', () => {
        describe('inner', () => test('breaks', () => { throw new Error('boom'); }));
        test('needs a database', { skip: 'no database here' }, () => {});
      });`,
    'other.test.ts': `require('node:test').test('works', () => {});`,
  });
  assert.equal(lines.at(-1), '2 passed, 1 failed, 1 skipped');
  assert.equal(status, 1);
  assert.ok(lines.includes('  Error: boom'));
  assert.ok(lines.includes('  src/mixed.test.ts: outer › inner › breaks'));
  assert.ok(lines.includes('  src/mixed.test.ts: outer › needs a database (no database here)'));
});

test('succeeds when nothing failed', async () => {
  const { status, lines } = await runTests({ 'a.test.ts': "require('node:test').test('works', () => {});" });
  assert.equal(lines.at(-1), '1 passed, 0 failed');
  assert.equal(status, 0);
});

test('counts a file that fails to load, and one that fails after its tests, as failed', async () => {
  const { status, lines } = await runTests({
    'late.test.ts': "require('node:test').test('works', () => {}); process.exitCode = 3;",
    'missing.test.ts': "require('./nothing.ts');",
  });
  assert.equal(lines.at(-1), '1 passed, 2 failed');
  assert.equal(status, 1);
  assert.ok(lines.includes('  src/late.test.ts'));
  assert.ok(lines.includes('  src/missing.test.ts'));
});

test('runs only the files that match a filter', async () => {
  const files = {
    'guard.test.ts': "require('node:test').test('guards', () => {});",
    'store.test.ts': "require('node:test').test('breaks', () => { throw new Error('boom'); });",
  };
  const filtered = await runTests(files, 'src/guard');
  assert.equal(filtered.lines.at(-1), '1 passed, 0 failed');
  assert.equal(filtered.status, 0);

  const none = await runTests(files, 'nothing-like-this');
  assert.deepEqual(none.lines, ["No test file's path contains nothing-like-this.", '0 passed, 0 failed']);
  assert.equal(none.status, 1);
});

async function runTests(files: Record<string, string>, ...filters: string[]) {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'src'));
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder.path, 'src', name), source);
  // This variable would make the inner runner report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [RUNNER, ...filters], {
    cwd: folder.path,
    env,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}
