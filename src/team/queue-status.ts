import type { Store } from '../store/store.ts';
import type { Caller } from './keys.ts';
import type { RunningWork } from './running.ts';

/** The current work for a team's requests. */
export interface QueueStatus {
  active: number;
  waiting: number;
  /** Null is without a limit. */
  maxConcurrency: number | null;
  /** When the last scrape or page of a job was delivered; null when there was none. */
  mostRecentSuccess: number | null;
}

export interface QueueSources {
  store: Store;
  running: RunningWork;
}

export async function queueStatus(sources: QueueSources, caller: Caller): Promise<QueueStatus> {
  const { teamId } = caller;
  const { usage, jobs } = sources.store;
  const [now, pages, mostRecentSuccess] = await Promise.all([
    concurrency(sources, caller),
    jobs.count(teamId),
    usage.lastSuccess(teamId),
  ]);
  return { ...now, waiting: pages.waiting, mostRecentSuccess };
}

/**
 * Running scrapes and pages of jobs. Scrapes are those of all processes if the plan has a limit; without a limit they
 * take no slot, and only those of this process are counted. Pages are those of all processes.
 */
export async function concurrency(
  { store, running }: QueueSources,
  { teamId, subject, plan }: Caller,
): Promise<Pick<QueueStatus, 'active' | 'maxConcurrency'>> {
  const [scrapes, pages] = await Promise.all([
    plan.concurrency === null ? running.count(teamId) : store.limits.takenSlots(subject),
    store.jobs.count(teamId),
  ]);
  return { active: scrapes + pages.running, maxConcurrency: plan.concurrency };
}
