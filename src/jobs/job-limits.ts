import { TrawlError } from '../errors.ts';
import type { JobAnswer, JobLimits } from '../store/operations/jobs/start-job.ts';
import { daysOf, periodAt } from '../team/billing-periods.ts';
import { paymentRequired } from '../team/credits.ts';
import type { Caller } from '../team/keys.ts';

/** The limits of the caller's plan on jobs. */
export function jobLimits({ plan, billingAnchor }: Caller, at: number): JobLimits {
  const { monthlyCredits, queuedJobs } = plan;
  return {
    queuedTasks: queuedJobs,
    credits: monthlyCredits === null ? null : { span: daysOf(periodAt(billingAnchor, at)), limit: monthlyCredits },
  };
}

/** The error for a job that was not accepted. */
export interface RefusedJob {
  answer: Exclude<JobAnswer, { type: 'accepted' }>;
  caller: Caller;
  at: number;
  /** The number of tasks that it would have queued. */
  tasks: number;
  /** The job to add to; null for a new one. */
  appendToId: string | null;
}

export function jobRefusal({ answer, caller, at, tasks, appendToId }: RefusedJob): TrawlError {
  const { plan, billingAnchor } = caller;
  switch (answer.type) {
    case 'unpaid':
      return paymentRequired(caller, answer.balance, answer.credits, periodAt(billingAnchor, at));
    case 'queue full':
      return new TrawlError(
        'QUEUE_FULL',
        `Queue limit exceeded. The plan "${plan.name}" allows ${plan.queuedJobs} waiting pages; ${answer.waiting} are waiting, and this request has ${tasks}. Send fewer, or wait until some are done.`,
        { headers: { 'retry-after': '60' } },
      );
    case 'conflict':
      return new TrawlError(
        'CONFLICT',
        'This x-idempotency-key was used for another request. Send a new key with each new request.',
      );
    case 'unknown':
      return new TrawlError('NOT_FOUND', `There is no batch ${appendToId} to append to.`);
    case 'ended':
      return new TrawlError('CONFLICT', `The batch ${appendToId} has ended. Start a new one without "appendToId".`);
  }
}
