import { FairLine } from '../fair-line.ts';

/** Three queues: scrapes that the cache answers, all other scrapes, and pages of jobs. */
const quick = new FairLine<() => void>();
const waiting = new FairLine<() => void>();
const inBackground = new FairLine<() => void>();
const LINES = [waiting, quick, inBackground];

/** While scrapes wait, pages of jobs get one turn in this many: enough to meet their deadlines. */
const BACKGROUND_SHARE = 8;
/** Every second one of the other turns goes to quick work, which thus waits for at most one page to be read. */
const QUICK_SHARE = 2;

let turns = 0;

/**
 * Resolves in a turn of the event loop that no other caller gets. Turns alternate between shares, which are ids of teams;
 * within a share, they are first come, first served. For work of 1 ms or more.
 *
 * Node runs everything that is ready in one turn. The answers of 32 sites that arrive together would be read in one go, while
 * timers, `/health` and new connections wait. At full load, half of the main thread's work was done in turns of 11 ms or more;
 * with one step of one scrape a turn, the figure is 2.7 ms.
 */
export function ownTurn(share: string): Promise<void> {
  return turnOf(waiting, share);
}

/** The same for a scrape that the cache answers: it needs less than 1 ms, and does not queue behind pages that are read. */
export function quickTurn(share: string): Promise<void> {
  return turnOf(quick, share);
}

/** The same for pages of jobs: scrapes that wait go first. */
export function backgroundTurn(share: string): Promise<void> {
  return turnOf(inBackground, share);
}

function turnOf(line: FairLine<() => void>, share: string): Promise<void> {
  return new Promise((resolve) => {
    line.add(share, resolve);
    if (size() === 1) setImmediate(give);
  });
}

function give(): void {
  turns += 1;
  const resolve = nextLine()?.take();
  // An immediate that is set within an immediate runs in the next turn.
  if (size() > 0) setImmediate(give);
  resolve?.();
}

function nextLine(): FairLine<() => void> | undefined {
  const favoured = turns % BACKGROUND_SHARE === 0 ? inBackground : turns % QUICK_SHARE === 0 ? waiting : quick;
  return favoured.size > 0 ? favoured : LINES.find((line) => line.size > 0);
}

function size(): number {
  return LINES.reduce((sum, line) => sum + line.size, 0);
}
