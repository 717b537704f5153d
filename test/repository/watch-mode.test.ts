import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

test('the service runs in watch mode, and stops when that stops', async () => {
  await using folder = await temporaryFolder();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', TRAWL_DATA_DIR: folder.path };
  const watcher = spawn(process.execPath, ['--watch', MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(watcher, 'close');
  let output = '';
  watcher.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  for await (const text of watcher.stdout.setEncoding('utf8')) {
    output += text;
    if (/Trawl listens on|^Failed running/m.test(output)) watcher.kill('SIGTERM');
  }
  await closed;
  assert.match(output, /Trawl listens on/);
  assert.match(output, /SIGTERM: finishing running requests/);
});
