import { now } from '../clock.ts';

/** The level that pino calls info. */
const INFO = 30;

/**
 * Prints to standard output what people or scripts wait for, whatever TRAWL_LOG_LEVEL is: as text on a terminal,
 * otherwise as a JSON line in the format of the log, so that all of standard output can be parsed.
 */
export function announce(text: string, fields: Record<string, string> = {}): void {
  const line = process.stdout.isTTY ? text : JSON.stringify({ level: INFO, time: now(), ...fields, msg: text });
  process.stdout.write(`${line}\n`);
}
