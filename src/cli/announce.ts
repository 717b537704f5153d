import { now } from '../clock.ts';

/** The level of pino that is called info. */
const INFO = 30;

/**
 * Says on standard output what a person or a script waits for, whatever TRAWL_LOG_LEVEL is: as text on a terminal, else as
 * a line of JSON in the form of the log, so that everything there can be parsed.
 */
export function announce(text: string, fields: Record<string, string> = {}): void {
  const line = process.stdout.isTTY ? text : JSON.stringify({ level: INFO, time: now(), ...fields, msg: text });
  process.stdout.write(`${line}\n`);
}
