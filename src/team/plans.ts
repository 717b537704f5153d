import { z } from 'zod';

/** The limits of a team. Null is without a limit. */
export interface Plan {
  name: string;
  /** Scrapes, pages and browsers at the same time. */
  concurrency: number | null;
  queuedJobs: number | null;
  requestsPerMinute: Readonly<Record<RateGroup, number>> | null;
  monthlyCredits: number | null;
}

/** The groups of operations whose requests are counted together. `status` has everything that only asks for a state. */
export const RATE_GROUPS = ['scrape', 'map', 'crawl', 'search', 'agent', 'status'] as const;
export type RateGroup = (typeof RATE_GROUPS)[number];

/** The plans of every installation; the operator can override them and add more. */
export const BUILT_IN_PLANS: readonly Plan[] = [
  // The plan of a new installation.
  { name: 'unlimited', concurrency: null, queuedJobs: null, requestsPerMinute: null, monthlyCredits: null },
  // For calls without a key, if the operator allows them: the limits of `free` for each client, and no account.
  plan('keyless', 2, 50_000, [10, 10, 2, 10, 2, 500], null),
  plan('free', 2, 50_000, [10, 10, 2, 10, 2, 500], 1_000),
  plan('hobby', 5, 50_000, [100, 100, 20, 100, 20, 5_000], 5_000),
  plan('standard', 50, 100_000, [500, 500, 100, 500, 100, 25_000], 100_000),
  plan('growth', 100, 200_000, [5_000, 5_000, 1_000, 5_000, 1_000, 250_000], 500_000),
  plan('scale', 150, 300_000, [10_000, 10_000, 2_000, 10_000, 2_000, 500_000], 1_000_000),
];

/** A million million: sums of that many credits and requests stay exact, and nobody needs more. */
const MOST = 1e12;
const count = (least: number) =>
  z
    .int(`must be a whole number, at least ${least}`)
    .min(least, `must be at least ${least}`)
    .max(MOST, `must be at most ${MOST}`);

/** The limits of a plan, as stored and as given by the operator. */
export const planLimits = z.strictObject({
  // Each slot is a row in PostgreSQL, and finding a free one takes 2 ms when all of these are taken.
  concurrency: count(1).max(10_000, 'must be at most 10000').nullable(),
  queuedJobs: count(1).nullable(),
  requestsPerMinute: z
    .strictObject({
      scrape: count(1),
      map: count(1),
      crawl: count(1),
      search: count(1),
      agent: count(1),
      status: count(1),
    })
    .nullable(),
  monthlyCredits: count(0).nullable(),
});

/**
 * The plan of this name: the operator's, from the stored JSON, or else the built-in one. Throws when there is neither;
 * the stored limits were checked before.
 */
export function readPlan(name: string, storedLimits: string | null): Plan {
  if (storedLimits !== null) return { name, ...planLimits.parse(JSON.parse(storedLimits)) };
  const builtIn = BUILT_IN_PLANS.find((one) => one.name === name);
  if (builtIn === undefined) throw new Error(`There is no plan "${name}", but a team is on it.`);
  return builtIn;
}

function plan(
  name: string,
  concurrency: number,
  queuedJobs: number,
  [scrape, map, crawl, search, agent, status]: [number, number, number, number, number, number],
  monthlyCredits: number | null,
): Plan {
  return {
    name,
    concurrency,
    queuedJobs,
    requestsPerMinute: { scrape, map, crawl, search, agent, status },
    monthlyCredits,
  };
}
