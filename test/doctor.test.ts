import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from './support/folder.ts';
import { runTrawl } from './support/process.ts';
import { startTrawl } from './support/trawl.ts';

/** The lines of a report by what they are about. */
function linesOf(report: string): Record<string, { level: string; text: string }> {
  const lines = report.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, level = '', name = '', text = ''] = /^(ok|warning|problem) +(.+?) {2,}(.*)$/.exec(line) ?? [];
      return [name, { level, text }];
    }),
  );
}

const profiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith('trawl-browser-')).length;

describe('trawl doctor', () => {
  test('finds a Chromium, its sandbox, fonts, limits and a place for data', async () => {
    await using folder = await temporaryFolder();
    const before = profiles();
    const { code, stdout } = await runTrawl(['doctor'], { TRAWL_DATA_DIR: folder.path });
    const lines = linesOf(stdout);
    assert.equal(code, 0, stdout);
    assert.deepEqual(Object.keys(lines), [
      'Node',
      'Data directory',
      'Database',
      'Browser',
      'Sandbox',
      'Fonts',
      'Limits',
    ]);
    assert.match(lines.Browser?.text ?? '', /^Chromium \d+\.[\d.]+ \(\/.+\), /);
    assert.match(lines.Sandbox?.text ?? '', /^(on|off, because )/);
    assert.match(lines.Database?.text ?? '', /will be made by the first start/);
    assert.ok(profiles() <= before);
  });

  test('says whether the database of a service can be written to', async () => {
    await using trawl = await startTrawl();
    const { stdout } = await runTrawl(['doctor'], { TRAWL_DATA_DIR: trawl.dataDir });
    assert.match(linesOf(stdout).Database?.text ?? '', /can be written to/);
  });

  test('exits with 1 for problems, and names what to change', async () => {
    await using folder = await temporaryFolder();
    const { code, stdout } = await runTrawl(['doctor'], {
      TRAWL_BROWSER_PATH: join(folder.path, 'none'),
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    const { Browser, Database } = linesOf(stdout);
    assert.equal(code, 1);
    assert.equal(Browser?.level, 'problem');
    assert.match(Browser?.text ?? '', /TRAWL_BROWSER_PATH is .*\/none, which does not exist/);
    assert.equal(Database?.level, 'problem');
  });

  test('names the libraries that a Chromium lacks', { skip: process.platform !== 'linux' }, async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o755);
    await mkdir(join(folder.path, 'bin'));
    const ldd = '#!/bin/sh\necho "	libnss3.so => not found"\n';
    await writeFile(join(folder.path, 'bin', 'ldd'), ldd, { mode: 0o755 });
    const { code, stdout } = await runTrawl(['doctor'], {
      TRAWL_BROWSER_PATH: '/bin/false',
      TRAWL_DATA_DIR: folder.path,
      PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`,
    });
    assert.equal(code, 1);
    assert.match(linesOf(stdout).Libraries?.text ?? '', /\/bin\/false needs libnss3\.so/);
  });

  test('exits with 2 for settings that are wrong', async () => {
    const { code, stderr } = await runTrawl(['doctor'], { TRAWL_BROWSER_CONTEXTS: '0' });
    assert.equal(code, 2);
    assert.match(stderr, /TRAWL_BROWSER_CONTEXTS must be at least 1/);
  });
});
