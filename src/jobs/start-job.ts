import { newId } from '../clock.ts';
import type { NewTask } from '../store/operations/jobs/add-tasks.ts';
import type { IdempotentRequest, JobAnswer, NewJob } from '../store/operations/jobs/start-job.ts';
import type { Caller } from '../team/keys.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { newWebhook, type WebhookRequest, type WebhookServices } from '../webhook/new-webhook.ts';
import { JOB_EVENTS } from './job-kind.ts';
import { jobLimits, jobRefusal } from './job-limits.ts';

/** The dependencies of starting a job. */
export interface JobServices extends WebhookServices {
  /** How long results can be read after the end, in milliseconds. */
  resultMs: number;
  /** Wakes the worker of this process, if there is one. */
  wakeWorker: () => void;
}

/** A job in the terms of its capability, and its caller. */
export interface JobCall
  extends Pick<NewJob, 'options' | 'summary' | 'formats' | 'taskCredits' | 'taskLimit' | 'maxConcurrency' | 'delay'> {
  caller: Caller;
  kind: string;
  /** Event types that its webhook can subscribe to. */
  events?: readonly string[];
  tasks: readonly NewTask[];
  /** Maximum price of the conclusion, after the tasks have ended; undefined for a job without a conclusion. */
  conclusion?: { credits: number };
  /** For a request that may come twice. */
  request: IdempotentRequest | null;
  /** The webhook of the job; null for none. */
  webhook: WebhookRequest | null;
  zeroDataRetention: boolean;
  /** For the activity log. */
  endpoint: string;
  target: string | null;
  origin: RequestOrigin;
  at: number;
}

/** With zero data retention, results are stored to be fetched, and not to be kept. */
const ZERO_RETENTION_MS = 3_600_000;

/**
 * Starts a job. When this returns its id, the job is on disk and will be worked on, and its credits are reserved.
 * Throws TrawlError: BAD_REQUEST for the webhook, PAYMENT_REQUIRED, QUEUE_FULL, CONFLICT when the idempotency key was
 * used for another request.
 */
export async function startJob(services: JobServices, call: JobCall): Promise<string> {
  const { store, resultMs, wakeWorker } = services;
  const { caller, kind, tasks, request, zeroDataRetention, endpoint, target, origin, at } = call;
  const id = newId();
  const { teamId, keyId } = caller;
  const answer: JobAnswer = await store.jobs.start({
    job: {
      id,
      teamId,
      keyId,
      kind,
      apiVersion: origin.apiVersion,
      options: call.options,
      formats: call.formats,
      hidesTasks: zeroDataRetention,
      ...(call.summary !== undefined && { summary: call.summary }),
      taskCredits: call.taskCredits,
      priority: 0,
      taskLimit: call.taskLimit,
      maxConcurrency: call.maxConcurrency,
      delay: call.delay,
      keepMs: zeroDataRetention ? Math.min(resultMs, ZERO_RETENTION_MS) : resultMs,
      createdAt: at,
      conclusion: call.conclusion ?? null,
    },
    tasks,
    limits: jobLimits(caller, at),
    request,
    webhook: call.webhook && (await newWebhook(services, teamId, call.webhook, call.events ?? JOB_EVENTS)),
    activity: {
      teamId,
      id,
      endpoint,
      target: zeroDataRetention ? null : target,
      keyId,
      createdAt: at,
      ...origin,
    },
  });
  if (answer.type !== 'accepted') throw jobRefusal({ answer, caller, at, tasks: tasks.length, appendToId: null });
  wakeWorker();
  return answer.id;
}
