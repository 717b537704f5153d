/** Of scrapes that somebody waits for, and of pages of jobs. */
const waiting: (() => void)[] = [];
const inBackground: (() => void)[] = [];

/** While scrapes wait, pages of jobs get one turn in so many: enough to keep within their time. */
const BACKGROUND_SHARE = 8;

let turns = 0;

/**
 * Resolves in a turn of the event loop that nobody else was given, first come first served. For work of 1 ms or more:
 * Node runs all that has become ready in one turn, so the answers of 32 sites that come together would be read in one go,
 * while timers, `/health` and new connections wait. Half of the serving thread's work at full speed was done in turns of
 * 11 ms or more; with one step of one scrape a turn it is 2.7 ms.
 */
export function ownTurn(): Promise<void> {
  return turnOf(waiting);
}

/** The same for pages of jobs: as long as scrapes wait, these go first. */
export function backgroundTurn(): Promise<void> {
  return turnOf(inBackground);
}

function turnOf(line: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve);
    if (waiting.length + inBackground.length === 1) setImmediate(give);
  });
}

function give(): void {
  turns += 1;
  const [first, second] = turns % BACKGROUND_SHARE === 0 ? [inBackground, waiting] : [waiting, inBackground];
  const resolve = first.shift() ?? second.shift();
  // An immediate that is asked for in one runs in the turn after.
  if (waiting.length + inBackground.length > 0) setImmediate(give);
  resolve?.();
}
