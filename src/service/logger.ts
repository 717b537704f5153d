import type { FastifyBaseLogger } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { toTerminalLine } from './terminal-log.ts';

/**
 * JSON lines on standard output; readable lines when a person watches. Request bodies, page content, keys and the
 * addresses that are scraped are never handed to it.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const { stdout } = process;
  if (!stdout.isTTY) return pino({ level });
  const color = stdout.hasColors();
  return pino({ level }, { write: (json) => stdout.write(toTerminalLine(json, color)) });
}

/** For Fastify itself, whose only notes at level info say where it listens: the command says that better. */
export function warningsOnly(logger: Logger): FastifyBaseLogger {
  return logger.child({}, { level: logger.isLevelEnabled('info') ? 'warn' : logger.level });
}
