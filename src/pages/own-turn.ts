import { FairLine } from '../fair-line.ts';

/** Of scrapes that somebody waits for: those that the cache answers, and the rest; and of pages of jobs. */
const quick = new FairLine<() => void>();
const waiting = new FairLine<() => void>();
const inBackground = new FairLine<() => void>();
const LINES = [waiting, quick, inBackground];

/** While scrapes wait, pages of jobs get one turn in so many: enough to keep within their time. */
const BACKGROUND_SHARE = 8;
/** Of all others every second one is for what is quick, which so waits for one page that is read and no more. */
const QUICK_SHARE = 2;

let turns = 0;

/**
 * Resolves in a turn of the event loop that nobody else was given: first come, first served within a share, which is the
 * id of a team, and in turn between shares. For work of 1 ms or more:
 * Node runs all that has become ready in one turn, so the answers of 32 sites that come together would be read in one go,
 * while timers, `/health` and new connections wait. Half of the serving thread's work at full speed was done in turns of
 * 11 ms or more; with one step of one scrape a turn it is 2.7 ms.
 */
export function ownTurn(share: string): Promise<void> {
  return turnOf(waiting, share);
}

/** The same for a scrape that needs less than 1 ms: the cache answers it, and it waits behind no page that is read. */
export function quickTurn(share: string): Promise<void> {
  return turnOf(quick, share);
}

/** The same for pages of jobs: as long as scrapes wait, these go first. */
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
  // An immediate that is asked for in one runs in the turn after.
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
