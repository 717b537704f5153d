import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** `PREFIX HOST-PID-START-RANDOM`: who made a folder is in its name, so that it can be removed when its owner is gone. */
const OWNED = /^(?<host>[\da-f]{8})-(?<pid>\d+)-(?<start>\d+)-\w{6}$/;

/** Makes a folder that belongs to this process: `sweepFolders` removes it when the process was killed. */
export async function makeOwnedFolder(parent: string, prefix: string): Promise<string> {
  return mkdtemp(join(parent, `${prefix}${host()}-${process.pid}-${(await startOf(process.pid)) ?? 0}-`));
}

/**
 * Removes the folders of processes of this machine that are gone.
 * @param owners user ids; folders of other users are left alone
 */
export async function sweepFolders(parent: string, prefix: string, owners: readonly number[]): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || !(await isAbandoned(name.slice(prefix.length)))) continue;
    const path = join(parent, name);
    const { uid } = await lstat(path);
    if (owners.includes(uid)) await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(name: string): Promise<boolean> {
  const owner = OWNED.exec(name)?.groups;
  // Containers can share a temporary folder, and each has processes of its own.
  if (owner === undefined || owner.host !== host()) return false;
  const start = await startOf(Number(owner.pid));
  return start === undefined || String(start) !== owner.start;
}

function host(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** When a process started, in ticks since the boot (proc_pid_stat(5), field 22). Undefined when it is gone. */
async function startOf(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    if (process.platform === 'linux') return undefined;
    return isRunning(pid) ? 0 : undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
