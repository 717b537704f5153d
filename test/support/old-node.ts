import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A Node 20 on this machine, because clients may run on it; undefined when there is none. */
export function findNode20(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  const nodes = new Set(folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file)));
  return [...nodes].find((file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.startsWith('v20.'));
}
