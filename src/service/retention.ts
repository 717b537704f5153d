import type { Logger } from 'pino';
import { now } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 60_000;
/** Looked for more often, so that it is late by no more than this whoever did it the last time. */
const LOOK_MS = 15_000;

/** How much is kept for how long. */
export type RetentionLimits = Pick<Config, 'cacheBytes' | 'resultBytes' | 'ledgerMs' | 'activityMs'>;

/** Removes what is over its time, once a minute and in small steps, until stopped; of several processes one does it. */
export function startRetention(store: Store, limits: RetentionLimits, logger: Logger): { stop(): void } {
  const { cacheBytes, resultBytes, ledgerMs, activityMs } = limits;
  let running = false;
  const sweep = async () => {
    if (running) return;
    running = true;
    try {
      if (!(await store.takeChore('sweep', now(), now() + EVERY_MS))) return;
      const onError = (err: unknown) => logger.error({ err }, 'retention could not remove something; it goes on');
      const limits = { cacheBytes, resultBytes, ledgerMs, activityMs };
      while (await store.sweep({ now: now(), ...limits }, onError));
    } catch (err) {
      logger.error({ err }, 'retention failed; it is tried again in a minute');
    } finally {
      running = false;
    }
  };
  const timer = setInterval(sweep, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
