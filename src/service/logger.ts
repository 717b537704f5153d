import type { FastifyBaseLogger } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { toTerminalLine } from './terminal-log.ts';

/**
 * JSON lines on standard output; readable lines on a terminal. It never receives request bodies, page content, keys or
 * the scraped addresses.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const { stdout } = process;
  if (!stdout.isTTY) return pino({ level });
  const color = stdout.hasColors();
  return pino({ level }, { write: (json) => stdout.write(toTerminalLine(json, color)) });
}

/** For Fastify itself, which logs at level info only where it listens: the command announces that better. */
export function warningsOnly(logger: Logger): FastifyBaseLogger {
  return logger.child({}, { level: logger.isLevelEnabled('info') ? 'warn' : logger.level });
}
