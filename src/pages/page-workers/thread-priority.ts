import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The thread that serves goes first where there are too few processors for all: it answers everybody. */
const NICENESS = 10;
/** V8's helpers: below all threads that read pages of a usual kind. */
const HELPER_NICENESS = 15;
/** The name of the threads with which V8 collects garbage, for all threads of the process. */
const HELPER = 'V8Worker';

/**
 * Lowers the priority of this thread and of V8's helpers: a page of 900,000 elements takes 3 s of processor time here, and
 * another 9 s there. Returns the number of this thread in the system, or undefined where threads have no priority of their
 * own. That is so everywhere but on Linux, where this would be the priority of the whole process.
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
    // It has just ended.
    return undefined;
  }
}
