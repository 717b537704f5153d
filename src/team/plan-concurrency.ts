import type { Store } from '../store/store.ts';
import { BUILT_IN_PLANS, type Plan, readPlan } from './plans.ts';

/** A changed plan takes effect for jobs after this long. */
const KEPT_MS = 2_000;

/** The concurrency of each plan, by name, for scrapes and pages; read again when older than two seconds. */
export function createPlanConcurrency(store: Store): () => Promise<Readonly<Record<string, number | null>>> {
  let known: Readonly<Record<string, number | null>> = {};
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < KEPT_MS) return known;
    const own = (await store.plans.list()).flatMap(({ name, limits }) => readIfPossible(name, limits));
    known = Object.fromEntries([...BUILT_IN_PLANS, ...own].map(({ name, concurrency }) => [name, concurrency]));
    readAt = performance.now();
    return known;
  };
}

/** A plan that cannot be read counts as unknown: its teams get one page at a time, and the others are not delayed. */
function readIfPossible(name: string, limits: string): Plan[] {
  try {
    return [readPlan(name, limits)];
  } catch {
    return [];
  }
}
