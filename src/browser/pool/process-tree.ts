import { readFile } from 'node:fs/promises';

export interface MeasuredProcess {
  pid: number;
  /** Memory that only this process uses, and what it shares with others without a file, in bytes. */
  bytes: number;
  /** Whether it runs the scripts of pages. */
  isPage: boolean;
}

/**
 * Measures a process and all below it. Pages of files are left out (`RssFile` of proc_pid_status(5)): the processes of Chromium
 * share them, 80 MB each, and the kernel drops them when memory is short. Empty where there is no /proc.
 */
export async function measureTree(pid: number): Promise<MeasuredProcess[]> {
  const own = await measure(pid);
  if (own === undefined) return [];
  const below = await Promise.all((await childrenOf(pid)).map(measureTree));
  return [own, ...below.flat()];
}

async function measure(pid: number): Promise<MeasuredProcess | undefined> {
  const [status, command] = await Promise.all([read(pid, 'status'), read(pid, 'cmdline')]);
  if (status === '') return undefined;
  const kilobytes = ['RssAnon', 'RssShmem'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0),
  );
  return {
    pid,
    bytes: kilobytes.reduce((sum, one) => sum + one, 0) * 1024,
    isPage: command.includes('--type=renderer'),
  };
}

/** A process can end between two reads. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await read(pid, `task/${pid}/children`);
  return children.split(' ').filter(Boolean).map(Number);
}

async function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
