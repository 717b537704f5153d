import { Command } from 'commander';
import { TrawlError } from '../errors.ts';
import { findPlan, listPlans, removePlan, setPlan } from '../team/operator-plans.ts';
import { type Plan, RATE_GROUPS } from '../team/plans.ts';
import { printColumns, withStore } from './with-store.ts';

interface LimitFlags {
  concurrency?: string;
  queuedJobs?: string;
  rate?: string;
  credits?: string;
}

export function plansCommand(): Command {
  return new Command('plans')
    .description('List and change plans')
    .addCommand(
      new Command('list').description('List the plans and their limits').action(() =>
        withStore(async (store) => {
          printColumns([
            ['PLAN', 'CREDITS A MONTH', 'CONCURRENCY', 'QUEUED JOBS', `A MINUTE: ${RATE_GROUPS.join('/')}`],
            ...(await listPlans(store)).map(toRow),
          ]);
        }),
      ),
    )
    .addCommand(
      new Command('set')
        .description('Create a plan, or change the given limits; "none" removes a limit')
        .argument('<name>', 'name of the plan')
        .option('--credits <number>', 'credits for each billing period')
        .option('--concurrency <number>', 'scrapes, pages and browsers at the same time')
        .option('--queued-jobs <number>', 'jobs that may wait')
        .option('--rate <limits>', 'requests a minute: one number for all, or for example scrape=100,status=5000')
        .action((name: string, flags: LimitFlags) =>
          withStore(async (store) => {
            const present = (await listPlans(store)).find((plan) => plan.name === name);
            printColumns([toRow(await setPlan(store, name, toChange(flags, present)))]);
          }),
        ),
    )
    .addCommand(
      new Command('remove')
        .description('Remove a plan; a changed built-in plan is reset')
        .argument('<name>', 'name of the plan')
        .action((name: string) =>
          withStore(async (store) => {
            await findPlan(store, name);
            await removePlan(store, name);
            process.stdout.write(`Removed ${name}.\n`);
          }),
        ),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ trawl plans set gold --credits 50000 --concurrency 20 --rate scrape=200,map=200,crawl=50,search=200,agent=50,status=5000
  $ trawl plans set free --credits 2000
  $ trawl plans set gold --rate none`,
    );
}

function toRow({ name, monthlyCredits, concurrency, queuedJobs, requestsPerMinute }: Plan): string[] {
  const rates = requestsPerMinute && RATE_GROUPS.map((group) => requestsPerMinute[group]).join('/');
  return [name, ...[monthlyCredits, concurrency, queuedJobs, rates].map((limit) => String(limit ?? 'none'))];
}

function toChange({ credits, concurrency, queuedJobs, rate }: LimitFlags, present: Plan | undefined) {
  return {
    ...(credits === undefined ? {} : { monthlyCredits: readLimit(credits) }),
    ...(concurrency === undefined ? {} : { concurrency: readLimit(concurrency) }),
    ...(queuedJobs === undefined ? {} : { queuedJobs: readLimit(queuedJobs) }),
    ...(rate === undefined ? {} : { requestsPerMinute: readRates(rate, present?.requestsPerMinute ?? {}) }),
  };
}

/** The limit itself is validated with the plan. */
function readLimit(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new TrawlError('BAD_REQUEST', `"${text}" is not a limit. Give a whole number, or none.`);
}

/** Groups that are not named keep their limit. */
function readRates(text: string, present: object): object | null {
  if (text === 'none') return null;
  if (/^\d+$/.test(text)) return Object.fromEntries(RATE_GROUPS.map((group) => [group, Number(text)]));
  const given = text.split(',').map((part) => {
    const [group = '', limit = ''] = part.split('=').map((one) => one.trim());
    if (/^\d+$/.test(limit)) return [group, Number(limit)];
    throw new TrawlError('BAD_REQUEST', `"${part}" is not a rate. Write scrape=100,status=5000, one number, or none.`);
  });
  return { ...present, ...Object.fromEntries(given) };
}
