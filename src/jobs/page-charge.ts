import { now } from '../clock.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { JobPage } from './page-work.ts';

/** What a page costs. The page is in the key: however often it is worked on, it is charged once. */
export function pageCharge({ job, key }: JobPage, capability: string, credits: number): Charge {
  const { id, teamId, keyId } = job;
  return {
    teamId,
    key: `page:${id}:${key}`,
    keyId,
    capability,
    jobId: id,
    credits,
    tokens: 0,
    chargedAt: now(),
  };
}
