import type { Logger } from 'pino';
import { now } from '../clock.ts';
import type { Config } from '../config.ts';
import { readCron } from '../jobs/cron.ts';
import type { RunTurn } from '../jobs/schedules.ts';
import type { Store } from '../store/store.ts';

/** How much is kept for how long. */
export type RetentionLimits = Pick<Config, 'cacheBytes' | 'resultBytes' | 'ledgerMs' | 'activityMs'>;

export const RETENTION = 'retention';

const EVERY_MINUTE = { cron: '* * * * *', zone: 'UTC' };

/** Has retention run once a minute, in one of the processes. */
export async function scheduleRetention({ schedules }: Store): Promise<void> {
  const { cron, zone } = EVERY_MINUTE;
  const nextAt = readCron(cron, zone).after(now()) ?? now();
  await schedules.put({ teamId: null, id: RETENTION, kind: RETENTION, ...EVERY_MINUTE, options: null, nextAt });
}

/** Removes what is over its time, in small steps. */
export function runRetention(store: Store, limits: RetentionLimits, logger: Logger): RunTurn {
  const { cacheBytes, resultBytes, ledgerMs, activityMs } = limits;
  let running = false;
  const onError = (err: unknown) => logger.error({ err }, 'retention could not remove something; it goes on');
  return async ({ take, signal }) => {
    // First, so that no other process sweeps at the same time. A turn that is cut short is made up for by the next one.
    if (!(await take()) || running) return;
    running = true;
    try {
      const sweep = () => store.sweep({ now: now(), cacheBytes, resultBytes, ledgerMs, activityMs }, onError);
      while (!signal.aborted && (await sweep()));
    } finally {
      running = false;
    }
  };
}
