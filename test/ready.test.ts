import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/folder.ts';
import { startProcess } from './support/process.ts';
import { TEST_SETTINGS } from './support/trawl.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');

/** The reason why a command cannot be run here, or false. */
function missing(command: string, args: readonly string[], what: string): string | false {
  return spawnSync(command, args).status === 0 ? false : what;
}

async function ready(address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${address}/ready`);
  return { status: response.status, text: await response.text() };
}

test('/ready is a 503 while nothing can be written, and a 200 again afterwards', {
  skip: missing('prlimit', ['--version'], 'there is no "prlimit" of util-linux'),
}, async () => {
  await using folder = await temporaryFolder();
  await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
  assert.equal((await ready(trawl.address)).status, 200);
  // The system refuses to write beyond this offset in any file, as on a full disk.
  const limit = (fsize: string) => spawnSync('prlimit', [`--pid=${trawl.pid}`, `--fsize=${fsize}`]).status;
  assert.equal(limit('4096:'), 0);
  const { status, text } = await ready(trawl.address);
  assert.equal(status, 503, text);
  assert.match(text, /"code":"STORE_UNAVAILABLE"/);
  assert.equal((await fetch(`${trawl.address}/health`)).status, 200);
  assert.equal(limit('unlimited:'), 0);
  assert.equal((await ready(trawl.address)).status, 200);
});

test('/ready says how much space is left on a nearly full disk', {
  skip: missing('unshare', ['--user', '--map-root-user', '--mount', 'true'], 'file systems cannot be mounted here'),
}, async () => {
  await using folder = await temporaryFolder();
  const command = `mount -t tmpfs -o size=160m tmpfs '${folder.path}' && exec '${process.execPath}' '${MAIN}' serve`;
  const child = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', command], {
    env: { ...process.env, ...TEST_SETTINGS, TRAWL_DATA_DIR: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += text;
      if (/Trawl listens on \S+ /.test(output)) break;
    }
    child.stdout.resume();
    const address = /Trawl listens on (\S+)/.exec(output)?.[1] ?? '';
    assert.equal((await ready(address)).status, 200);
    // Its file system, as other processes see it.
    const filler = `/proc/${child.pid}/root${folder.path}/filler`;
    await writeFile(filler, Buffer.alloc(90_000_000));
    const { status, text } = await ready(address);
    assert.equal(status, 503, text);
    assert.match(text, /The disk of the data directory is full: \d\d MB are free, and 100 MB are needed\. Make room/);
    await rm(filler);
    assert.equal((await ready(address)).status, 200);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
