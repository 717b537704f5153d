import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { type Folder, temporaryFolder } from '../../../test/support/folder.ts';
import { cacheFolders, usableFolder } from './cache-folder.ts';
import { unpackChromium } from './unpack.ts';

/** Archives such as those of the npm package, with a script for a browser. */
async function makeArchives({ path }: Folder): Promise<string> {
  const archives = join(path, 'archives');
  const files = { swiftshader: 'libEGL.so', fonts: 'fonts/Sans/Sans.ttf', al2023: 'lib/libnss3.so' };
  for (const [archive, file] of Object.entries(files)) {
    const root = join(path, archive);
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), file.repeat(1000), { mode: 0o755 });
    const tar = execFileSync('tar', ['--create', '--format=ustar', '--directory', root, '.']);
    await mkdir(archives, { recursive: true });
    await writeFile(join(archives, `${archive}.tar.br`), brotliCompressSync(tar));
  }
  await writeFile(join(archives, 'chromium.br'), brotliCompressSync('#!/bin/sh\n'));
  return archives;
}

describe('the Chromium of npm', () => {
  test('is unpacked once by several at the same time, and readable for every user', async () => {
    await using place = await temporaryFolder();
    const archives = await makeArchives(place);
    const cache = join(place.path, 'cache');
    await mkdir(cache);
    const folders = await Promise.all([1, 2, 3].map(() => unpackChromium(archives, '1.2.3', cache)));
    const folder = join(cache, 'chromium-1.2.3');
    assert.deepEqual(folders, [folder, folder, folder]);
    assert.deepEqual(await readdir(cache), ['chromium-1.2.3']);
    assert.equal((await stat(join(folder, 'chromium'))).mode & 0o777, 0o755);
    assert.equal((await stat(join(folder, 'fonts', 'Sans'))).mode & 0o777, 0o755);
    assert.equal(await readFile(join(folder, 'lib', 'libnss3.so'), 'utf8'), 'lib/libnss3.so'.repeat(1000));
    assert.match(await readFile(join(folder, 'fonts.conf'), 'utf8'), new RegExp(`<dir>${folder}/fonts</dir>`));
  });

  test('is not there when its unpacking failed, and a later one succeeds', async () => {
    await using place = await temporaryFolder();
    const archives = await makeArchives(place);
    const cache = join(place.path, 'cache');
    await mkdir(cache);
    const whole = await readFile(join(archives, 'fonts.tar.br'));
    await writeFile(join(archives, 'fonts.tar.br'), whole.subarray(0, 20));
    await assert.rejects(unpackChromium(archives, '1.2.3', cache));
    assert.deepEqual(await readdir(cache), []);
    await writeFile(join(archives, 'fonts.tar.br'), whole);
    await unpackChromium(archives, '1.2.3', cache);
    assert.deepEqual(await readdir(cache), ['chromium-1.2.3']);
  });

  test('removes versions that nobody used for long, and what killed processes left', async () => {
    await using place = await temporaryFolder();
    const archives = await makeArchives(place);
    const cache = join(place.path, 'cache');
    for (const version of ['1.0.0', '1.1.0']) await mkdir(join(cache, `chromium-${version}`), { recursive: true });
    await utimes(join(cache, 'chromium-1.0.0'), 0, 0);
    await unpackChromium(archives, '1.2.3', cache);
    assert.deepEqual((await readdir(cache)).sort(), ['chromium-1.1.0', 'chromium-1.2.3']);
  });

  test('goes to a cache folder, else to the data directory', () => {
    const environment = { HOME: '/home/anna' };
    assert.deepEqual(cacheFolders('/srv/data', environment, false), ['/home/anna/.cache/trawl', '/srv/data/browser']);
    assert.deepEqual(cacheFolders(undefined, { ...environment, XDG_CACHE_HOME: '/cache' }, true), [
      '/var/cache/trawl',
      '/cache/trawl',
    ]);
  });

  test('goes to a folder that others can reach, if they have to', async () => {
    await using place = await temporaryFolder();
    // temporaryFolder lets nobody else in.
    const hidden = join(place.path, 'cache');
    assert.equal(await usableFolder(['/etc/passwd/none', hidden], false), hidden);
    await rm(hidden, { recursive: true });
    assert.equal(await usableFolder(['/etc/passwd/none', hidden], true), hidden);
    assert.equal(await usableFolder(['/etc/passwd/none'], false), undefined);
  });
});
