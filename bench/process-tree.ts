/** The cost of a process and all its children, as counted by the Linux kernel in /proc. */
import { readdirSync, readFileSync } from 'node:fs';

// The kernel counts processor time in ticks of 1/100 s on every platform Node runs on (USER_HZ).
const MS_PER_TICK = 10;

/**
 * Processor time used so far, user and system, in milliseconds. That of ended children counts for the process that
 * waited for them.
 */
export function processorTime(pid: number): number {
  return sumOverTree(pid, (each) => {
    // The second field is the program's name in parentheses, and may itself hold spaces and parentheses.
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks * MS_PER_TICK;
  });
}

/** Resident memory, in megabytes (10^6 bytes). */
export function residentMemory(pid: number): number {
  return sumOverTree(pid, (each) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  });
}

/** Memory in megabytes, with shared pages counted once: Chromium's processes share most of their code. */
export function sharedMemory(pid: number): number {
  return sumOverTree(pid, (each) => {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  });
}

function sumOverTree(pid: number, measure: (pid: number) => number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + sumOverDescendants(child, measure), measure(pid));
}

/** A descendant may end at any moment, as Chromium's do after each page. */
function sumOverDescendants(pid: number, measure: (pid: number) => number): number {
  try {
    return sumOverTree(pid, measure);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')) return 0;
    throw error;
  }
}
