import { fork } from 'node:child_process';
import { once } from 'node:events';
import { processorTime, residentMemory } from '../process-tree.ts';

/** The cost of a crawl. */
export interface CrawlCost {
  pages: number;
  /** Wall-clock time in milliseconds. */
  time: number;
  /** CPU time of all processes, in milliseconds. */
  processor: number;
  /** Largest resident memory seen, in MB. */
  memory: number;
}

const SAMPLE_MS = 100;

/** Watches the memory of a process and its children until stopped, and returns the peak. */
export function watchMemory(pid: number): () => number {
  let largest = 0;
  const look = () => {
    try {
      largest = Math.max(largest, residentMemory(pid));
    } catch {
      // It has just ended.
    }
  };
  look();
  const timer = setInterval(look, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return largest;
  };
}

/** Runs a script over the site. The script reports its start, and its number of pages at the end. */
export async function runScript(script: string, address: string, pages: number): Promise<CrawlCost> {
  const child = fork(script, [address, String(pages)]);
  const pid = child.pid ?? 0;
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script} ended before it was done`);
  });
  try {
    await Promise.race([once(child, 'message'), ended]);
    const memory = watchMemory(pid);
    const processorBefore = processorTime(pid);
    const start = performance.now();
    const [done] = await Promise.race([once(child, 'message'), ended]);
    const time = performance.now() - start;
    return { pages: Number(done.pages), time, processor: processorTime(pid) - processorBefore, memory: memory() };
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}
