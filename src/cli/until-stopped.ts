import { announce } from './announce.ts';

/** A closing process waits this long for what runs before it gives up on it. */
const GRACE_MS = 30_000;
const REPEATED_SIGNAL_MS = 500;

/** Has SIGTERM and SIGINT close what runs, and the process end after it. */
export function closeOnSignal(running: { close(): Promise<void> }, what: string): void {
  let stopAsked: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stopAsked !== undefined) {
      // A second signal means now. But npm hands Ctrl-C on to a process that the terminal has told already,
      // a few milliseconds apart: that is still the first one.
      if (performance.now() - stopAsked > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    stopAsked = performance.now();
    announce(`${signal}: finishing ${what}…`);
    setTimeout(() => {
      announce(`It still ran after ${GRACE_MS / 1000} s; stopping anyway.`);
      process.exit(1);
    }, GRACE_MS).unref();
    running.close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
