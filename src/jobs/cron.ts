import { Cron } from 'croner';
import { TrawlError } from '../errors.ts';

/** The next time of a cron expression after a given time, in milliseconds since the epoch; null if there is none. */
export interface CronExpression {
  after(at: number): number | null;
}

/**
 * Parses a cron expression of five fields (minute, hour, day of the month, month, day of the week), or of six with
 * seconds first, in a time zone. Where the clock jumps ahead, a turn inside the gap comes at its end; where it is set
 * back, a turn comes once.
 * @param zone IANA name, such as `Europe/Berlin`
 * @throws TrawlError BAD_REQUEST
 */
export function readCron(expression: string, zone: string): CronExpression {
  try {
    const cron = new Cron(expression, { timezone: zone, paused: true });
    // Only this call reveals an unknown time zone.
    cron.nextRun();
    return { after: (at) => cron.nextRun(new Date(at))?.getTime() ?? null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrawlError(
      'BAD_REQUEST',
      `"${expression}" in the time zone "${zone}" is not a valid schedule: ${reason}`,
    );
  }
}
