import { announce } from './announce.ts';

/** How long a closing process waits for running work before it gives up. */
const GRACE_MS = 30_000;
const REPEATED_SIGNAL_MS = 500;

/** Closes the service on SIGTERM and SIGINT, and then ends the process. */
export function closeOnSignal(running: { close(): Promise<void> }, what: string): void {
  let stopAsked: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stopAsked !== undefined) {
      // A second signal means now. But npm forwards Ctrl-C to a process that has already received it from the terminal,
      // a few milliseconds apart: that still counts as the first.
      if (performance.now() - stopAsked > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    stopAsked = performance.now();
    announce(`${signal}: finishing ${what}…`);
    setTimeout(() => {
      announce(`Still running after ${GRACE_MS / 1000} s; stopping anyway.`);
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
