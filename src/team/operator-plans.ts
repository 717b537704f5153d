import { TrawlError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { BUILT_IN_PLANS, type Plan, planLimits, readPlan } from './plans.ts';

/** Plans as the operator sees and changes them. */

/** Every plan in force: first the built-in ones, changed or not, then the operator's own by name. */
export async function listPlans(store: Store): Promise<Plan[]> {
  const own = new Map((await store.plans.list()).map(({ name, limits }) => [name, limits]));
  const builtIn = BUILT_IN_PLANS.map(({ name }) => readPlan(name, own.get(name) ?? null));
  const isBuiltIn = (name: string) => BUILT_IN_PLANS.some((plan) => plan.name === name);
  return [...builtIn, ...[...own].filter(([name]) => !isBuiltIn(name)).map(([name, limits]) => readPlan(name, limits))];
}

/** The plan of this name. Throws NOT_FOUND. */
export async function findPlan(store: Store, name: string): Promise<Plan> {
  const plan = (await listPlans(store)).find((one) => one.name === name);
  if (plan === undefined) {
    throw new TrawlError('NOT_FOUND', `There is no plan "${name}". "trawl plans list" shows them.`);
  }
  return plan;
}

/**
 * Sets the given limits of a plan and keeps the others; a new plan begins without limits. Takes effect with the next
 * request. Throws BAD_REQUEST for an invalid name or limit.
 */
export async function setPlan(
  store: Store,
  name: string,
  change: Partial<Record<keyof Omit<Plan, 'name'>, unknown>>,
): Promise<Plan> {
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
    throw new TrawlError(
      'BAD_REQUEST',
      'The name of a plan has 1 to 50 characters from a-z, 0-9, - and _, for example "gold".',
    );
  }
  const present = (await listPlans(store)).find((one) => one.name === name) ?? readPlan('unlimited', null);
  const { name: _, ...limits } = present;
  const parsed = planLimits.safeParse({ ...limits, ...change });
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new TrawlError('BAD_REQUEST', `The plan is not valid: ${lines.join('; ')}.`);
  }
  await store.plans.put({ name, limits: JSON.stringify(parsed.data) });
  return { name, ...parsed.data };
}

/**
 * Removes a plan of the operator's own, or resets a changed built-in one. Throws NOT_FOUND when it is not the
 * operator's, and BAD_REQUEST while teams are on a plan without a built-in replacement.
 */
export async function removePlan(store: Store, name: string): Promise<void> {
  const isBuiltIn = BUILT_IN_PLANS.some((plan) => plan.name === name);
  if (await store.plans.remove(name, { whileUsed: isBuiltIn })) return;
  if (isBuiltIn) throw new TrawlError('NOT_FOUND', `The plan "${name}" is built in and was not changed.`);
  await findPlan(store, name);
  throw new TrawlError(
    'BAD_REQUEST',
    `Teams are on the plan "${name}". Move them first: "trawl teams plan TEAM PLAN".`,
  );
}
