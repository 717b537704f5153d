import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/**
 * JSON lines on standard output; readable lines when a person watches. Request bodies, page content, keys and the
 * addresses that are scraped are never handed to it.
 */
export async function createLogger(level: Config['logLevel']): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level });
  const { default: pretty } = await import('pino-pretty');
  return pino({ level }, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}
