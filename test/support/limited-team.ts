import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../../src/clock.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { Plan } from '../../src/team/plans.ts';
import { newKeyRow, newTeamRow } from './store-rows.ts';

export interface LimitedTeam {
  name?: string;
  /** Instead of `unlimited`. */
  plan?: Partial<Omit<Plan, 'name'>>;
  allowList?: readonly string[];
  formats?: readonly string[];
  endpointGroups?: readonly string[];
}

/** Makes a team with these limits and one key with these restrictions, as the store keeps them. */
export async function addLimitedTeam(
  options: StoreOptions,
  { name = 'limited', plan, allowList, formats, endpointGroups }: LimitedTeam,
): Promise<{ key: string; teamId: string; plan: string }> {
  const store = await openStore(options);
  try {
    const key = `fc-${randomBytes(16).toString('hex')}`;
    const hash = createHash('sha256').update(key).digest('hex');
    const teamId = newId();
    const planName = plan === undefined ? 'unlimited' : `plan of ${teamId}`;
    if (plan !== undefined) {
      const limits = { concurrency: null, queuedJobs: null, requestsPerMinute: null, monthlyCredits: null, ...plan };
      await store.plans.put({ name: planName, limits: JSON.stringify(limits) });
    }
    const restrictions = {
      formats: formats === undefined ? null : JSON.stringify(formats),
      endpointGroups: endpointGroups === undefined ? null : JSON.stringify(endpointGroups),
    };
    await store.teams.make(
      newTeamRow(teamId, { name, plan: planName }),
      newKeyRow(teamId, { name, hash, ...restrictions }),
    );
    if (allowList !== undefined) await store.teams.change(teamId, { allowList: JSON.stringify(allowList) });
    return { key, teamId, plan: planName };
  } finally {
    await store.close();
  }
}

/** Requests a minute, the same in every group unless one is given. */
export function perMinute(all: number, given: Partial<NonNullable<Plan['requestsPerMinute']>> = {}) {
  return { scrape: all, map: all, crawl: all, search: all, agent: all, status: all, ...given };
}
