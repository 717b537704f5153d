import { styleText } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { ConstraintError } from '../store/constraint-error.ts';

/** Prints an error to standard error, in a line or a few, and returns the exit code. */
export function reportFailure(error: unknown): 0 | 1 | 2 {
  // Commander has printed its own message (and throws for --help and --version too, with exit code 0).
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    complain(`Invalid settings:\n${error.message}`);
    return 2;
  }
  if (error instanceof TrawlError) {
    complain(error.message);
    return error.status === 400 ? 2 : 1;
  }
  if (error instanceof ConstraintError) {
    complain(`The database refused a write: ${error.message}.`);
    return 1;
  }
  if (isSystemError(error) && error.code === 'EADDRINUSE') {
    complain(
      `The port is already in use (${error.message}). Choose another with --port or PORT (for a worker: TRAWL_WORKER_PORT); 0 takes any free port.`,
    );
    return 1;
  }
  if (isSystemError(error)) {
    complain(error.message);
    return 1;
  }
  complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}

function complain(text: string): void {
  process.stderr.write(`${styleText(['red', 'bold'], 'error', { stream: process.stderr })} ${text}\n`);
}

/** An error of the operating system, such as a file that cannot be written; its message says what and why. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
