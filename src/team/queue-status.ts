import type { Store } from '../store/store.ts';
import type { Caller } from './keys.ts';
import type { RunningWork } from './running.ts';

/** What works on a team's requests at this moment. */
export interface QueueStatus {
  active: number;
  waiting: number;
  /** Null is without a limit. */
  maxConcurrency: number | null;
  /** When the last scrape that completed was charged; null when there was none. */
  mostRecentSuccess: number | null;
}

export interface QueueSources {
  store: Store;
  running: RunningWork;
}

export async function queueStatus(sources: QueueSources, caller: Caller): Promise<QueueStatus> {
  return {
    ...concurrency(sources, caller),
    // A scrape is worked on at once: nothing waits.
    waiting: 0,
    mostRecentSuccess: await sources.store.usage.lastCharge(caller.teamId, 'scrape'),
  };
}

export function concurrency(
  { running }: QueueSources,
  { teamId, plan }: Caller,
): Pick<QueueStatus, 'active' | 'maxConcurrency'> {
  return { active: running.count(teamId), maxConcurrency: plan.concurrency };
}
