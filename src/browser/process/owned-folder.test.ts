import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { makeOwnedFolder, sweepFolders } from './owned-folder.ts';

const uid = process.getuid?.() ?? 0;

test('removes the folders of processes that are gone, and no others', async () => {
  await using parent = await temporaryFolder();
  const own = await makeOwnedFolder(parent.path, 'x-');
  const [host = ''] = own.slice(parent.path.length + 3).split('-');
  const gone = `x-${host}-${2 ** 30}-1-abcdef`;
  const reused = `x-${host}-${process.pid}-1-abcdef`;
  const kept = [`x-00000000-${2 ** 30}-1-abcdef`, 'x-notes', `y-${host}-${2 ** 30}-1-abcdef`];
  for (const name of [gone, reused, ...kept]) await mkdir(join(parent.path, name, 'inner'), { recursive: true });

  await sweepFolders(parent.path, 'x-', [uid + 1]);
  assert.equal((await readdir(parent.path)).length, 6);
  await sweepFolders(parent.path, 'x-', [uid]);
  assert.deepEqual((await readdir(parent.path)).sort(), [own.slice(parent.path.length + 1), ...kept].sort());
});
