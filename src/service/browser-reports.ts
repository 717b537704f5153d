import type { Logger } from 'pino';
import type { EngineReports } from '../browser/browser-engine.ts';
import { nameOf } from '../browser/process/launch.ts';
import type { Metrics } from './metrics.ts';

/** Counts what the browser does, and logs once how it runs. */
export function browserReports(logger: Logger, metrics: Metrics): EngineReports {
  const said = new Set<string>();
  const once = (level: 'info' | 'warn', message: string) => {
    if (said.has(message)) return;
    said.add(message);
    logger[level](message);
  };
  return {
    started({ browser, chromium, sandboxOff, failed }) {
      for (const message of failed) once('warn', message);
      once('info', `${nameOf({ browser, chromium })} renders pages.`);
      if (sandboxOff !== undefined)
        once('warn', `The sandbox of Chromium is off: ${sandboxOff}. "trawl doctor" tells more.`);
    },
    ended(reason, lastWords) {
      metrics.countBrowserEnd(reason);
      if (reason === 'crashed' || reason === 'hung')
        logger.warn(
          { lastWords: lastWords.slice(-500) },
          `The browser ${reason === 'hung' ? 'hung' : 'crashed'}. Its pages are tried once more.`,
        );
    },
    rendered: (ms) => metrics.countRender(ms),
  };
}
