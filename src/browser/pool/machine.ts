import { readFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

/** What this process may use: the limits of its container, where there are any, and not those of the host. */
export interface Machine {
  /** In bytes. */
  memory: number;
  processors: number;
}

/** Control groups write a number beyond all memory, or `max`, where there is no limit. */
const NO_LIMIT = 2 ** 60;

/** Reads the limits of control groups, version 2 and 1 (cgroups(7)), of this group and of those above it. */
export async function readMachine(root = '/sys/fs/cgroup', ownGroups = '/proc/self/cgroup'): Promise<Machine> {
  const groups = await readText(ownGroups);
  const memory = [totalmem()];
  const processors = [availableParallelism()];
  for (const folder of foldersOf(root, groups)) {
    for (const file of ['memory.max', 'memory.limit_in_bytes']) memory.push(await readNumber(join(folder, file)));
    const [quota, period] = (await readText(join(folder, 'cpu.max'))).split(' ').map(Number);
    processors.push(ratio(quota, period));
    const oldQuota = await readNumber(join(folder, 'cpu.cfs_quota_us'));
    processors.push(ratio(oldQuota, await readNumber(join(folder, 'cpu.cfs_period_us'))));
  }
  return { memory: Math.min(...memory), processors: Math.min(...processors) };
}

/** Where a container sees its group as the root, only the last of each is there. */
function foldersOf(root: string, groups: string): string[] {
  const folders = new Set<string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    const hierarchies = controllers === '' ? [root, join(root, 'unified')] : [join(root, controllers)];
    const parts = path.split('/').filter((part) => part !== '' && part !== '..');
    for (const hierarchy of hierarchies) {
      for (let depth = 0; depth <= parts.length; depth++) folders.add(join(hierarchy, ...parts.slice(0, depth)));
    }
  }
  return [...folders];
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function readNumber(path: string): Promise<number> {
  const value = Number.parseInt(await readText(path), 10);
  return value > 0 && value < NO_LIMIT ? value : Number.POSITIVE_INFINITY;
}

function ratio(quota = Number.NaN, period = Number.NaN): number {
  const processors = quota / period;
  return processors > 0 ? processors : Number.POSITIVE_INFINITY;
}
