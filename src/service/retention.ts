import type { Logger } from 'pino';
import { now } from '../clock.ts';
import type { Config } from '../config.ts';
import { readCron } from '../jobs/cron.ts';
import type { RunTurn } from '../jobs/schedules.ts';
import type { Store } from '../store/store.ts';

/** Limits on the size and age of stored data. */
export type RetentionLimits = Pick<Config, 'cacheBytes' | 'resultBytes' | 'ledgerMs' | 'activityMs'>;

export const RETENTION = 'retention';

const EVERY_MINUTE = { cron: '* * * * *', zone: 'UTC' };

/** Schedules retention once a minute, in one of the processes. */
export async function scheduleRetention({ schedules }: Store): Promise<void> {
  const { cron, zone } = EVERY_MINUTE;
  const nextAt = readCron(cron, zone).after(now()) ?? now();
  await schedules.put({ teamId: null, id: RETENTION, kind: RETENTION, ...EVERY_MINUTE, options: null, nextAt });
}

/** Removes expired data in small steps. */
export function runRetention(store: Store, limits: RetentionLimits, logger: Logger): RunTurn {
  const { cacheBytes, resultBytes, ledgerMs, activityMs } = limits;
  let running = false;
  const onError = (err: unknown) => logger.error({ err }, 'retention could not remove something, and continues');
  return async ({ take, signal }) => {
    // Taken first, so that no other process sweeps at the same time. The next turn catches up on one that is cut short.
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
