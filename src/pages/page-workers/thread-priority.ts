import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Below the main thread, which answers all requests, when there are too few CPUs for all threads. */
const NICENESS = 10;
/** V8's helper threads: below all threads that read typical pages. */
const HELPER_NICENESS = 15;
/** The name of the threads in which V8 collects garbage for the whole process. */
const HELPER = 'V8Worker';

/**
 * Lowers the priority of this thread and of V8's helpers: a page of 900,000 elements takes 3 s of CPU time here and another 9 s
 * there. Returns the thread id. Only Linux has a priority for each thread; elsewhere this would change the whole process, so it
 * does nothing and returns undefined.
 */
export function lowerPriority(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  setPriority(NICENESS);
  for (const thread of helpers()) setPriority(thread, HELPER_NICENESS);
  return Number(readlinkSync('/proc/thread-self').replace(/.*\//, ''));
}

function helpers(): number[] {
  const threads = readdirSync('/proc/self/task');
  return threads.filter((thread) => nameOf(thread) === HELPER).map(Number);
}

function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
  } catch {
    // The thread has just exited.
    return undefined;
  }
}
