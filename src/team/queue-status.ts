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
    ...(await concurrency(sources, caller)),
    // A scrape is worked on at once: nothing waits.
    waiting: 0,
    mostRecentSuccess: await sources.store.usage.lastCharge(caller.teamId, 'scrape'),
  };
}

/** Of all processes where the plan has a limit; work without one takes no place, and is counted in this process alone. */
export async function concurrency(
  { store, running }: QueueSources,
  { teamId, subject, plan }: Caller,
): Promise<Pick<QueueStatus, 'active' | 'maxConcurrency'>> {
  const active = plan.concurrency === null ? running.count(teamId) : await store.limits.takenPlaces(subject);
  return { active, maxConcurrency: plan.concurrency };
}
