import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { jobLimits, jobRefusal } from '../jobs/job-limits.ts';
import { type JobServices, startJob } from '../jobs/start-job.ts';
import { maxPageCredits } from '../pages/page-costs.ts';
import type { ScrapeOptions } from '../pages/request.ts';
import type { PageStages } from '../pages/stages.ts';
import { parseTarget } from '../site/target.ts';
import type { NewTask } from '../store/operations/jobs/add-tasks.ts';
import type { IdempotentRequest } from '../store/operations/jobs/start-job.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats, requireProfiles } from '../team/permissions.ts';
import type { Prices } from '../team/prices.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import type { WebhookRequest } from '../webhook/new-webhook.ts';

export interface BatchServices extends JobServices {
  /** The prices in force. */
  prices: () => Promise<Prices>;
  stages: PageStages;
}

/** The options for every page. */
export interface BatchOptions extends ScrapeOptions {
  ignoreRobotsTxt: boolean;
}

/** What a worker needs to know about a batch. Stored as JSON until the batch ends. */
export interface StoredBatch extends BatchOptions {
  /** The prices when the batch started. Batches from older versions have none. */
  prices?: Prices;
  /** Where the caller reached the service. Undefined on the command line, and in batches from older versions. */
  publicAddress?: string | undefined;
}

export interface BatchCall {
  caller: Caller;
  /** As the caller wrote them. */
  urls: readonly string[];
  /** Skip invalid addresses instead of refusing the request. */
  ignoreInvalidURLs: boolean;
  options: BatchOptions;
  maxConcurrency: number | null;
  /** The webhook; null for none. */
  webhook: WebhookRequest | null;
  /** The batch to add to; null for a new one. */
  appendToId: string | null;
  /** The key of a request that may be sent twice. */
  idempotencyKey: string | null;
  origin: RequestOrigin;
  /** Where the caller reached the service; undefined on the command line. */
  publicAddress?: string | undefined;
}

export interface StartedBatch {
  id: string;
  /** The skipped invalid addresses. */
  invalidURLs: string[];
}

/**
 * Starts a batch, or adds to one. When this returns, the pages are on disk and will be worked on, and the credits for all of
 * them are reserved. Throws TrawlError: FORBIDDEN for formats that the key may not request, BAD_REQUEST for addresses,
 * PAYMENT_REQUIRED, QUEUE_FULL, NOT_FOUND for the batch to add to, CONFLICT when that has ended or the idempotency key was used
 * for another request.
 */
export async function startBatch(services: BatchServices, call: BatchCall): Promise<StartedBatch> {
  const { caller, options, appendToId, maxConcurrency, origin, publicAddress } = call;
  // Pages that are added are scraped in the formats of their batch.
  if (appendToId === null) requireFormats(caller, options.formats);
  requireProfiles(caller, options);
  if (appendToId !== null && call.webhook !== null) throw lateWebhook();
  const { tasks, invalidURLs } = readAddresses(call);
  const at = now();
  const request = call.idempotencyKey === null ? null : { key: call.idempotencyKey, hash: hashOf(call) };
  if (appendToId !== null)
    return { id: await append(services, { caller, appendToId, tasks, request, at }), invalidURLs };
  const prices = await services.prices();
  const stored: StoredBatch = { ...options, prices, publicAddress };
  const id = await startJob(services, {
    caller,
    kind: 'batch',
    options: JSON.stringify(stored),
    formats: options.formats,
    taskCredits: maxPageCredits(prices, services.stages, options),
    tasks,
    taskLimit: null,
    maxConcurrency,
    delay: 0,
    request,
    webhook: call.webhook,
    zeroDataRetention: options.zeroDataRetention,
    endpoint: 'batch_scrape',
    target: tasks[0]?.payload ?? null,
    origin,
    at,
  });
  return { id, invalidURLs };
}

async function append(
  { store, wakeWorker }: BatchServices,
  more: {
    caller: Caller;
    appendToId: string;
    tasks: readonly NewTask[];
    request: IdempotentRequest | null;
    at: number;
  },
): Promise<string> {
  const { caller, appendToId, tasks, request, at } = more;
  const { teamId } = caller;
  const batch = await store.jobs.find(teamId, 'batch', appendToId);
  if (batch !== null) requireFormats(caller, batch.formats);
  const limits = jobLimits(caller, at);
  const answer = await store.jobs.append({ id: appendToId, teamId, kind: 'batch', tasks, limits, request, at });
  if (answer.type !== 'accepted') throw jobRefusal({ answer, caller, at, tasks: tasks.length, appendToId });
  wakeWorker();
  return answer.id;
}

function readAddresses({ urls, ignoreInvalidURLs }: BatchCall): { tasks: NewTask[]; invalidURLs: string[] } {
  const tasks: NewTask[] = [];
  const invalidURLs: string[] = [];
  const problems: { path: string[]; message: string }[] = [];
  for (const [index, url] of urls.entries()) {
    try {
      // An address that is given twice is scraped twice: a caller who sends 100 addresses expects 100 results.
      tasks.push({ key: null, payload: url, host: parseTarget(url).host, depth: 0 });
    } catch (error) {
      if (!(error instanceof TrawlError)) throw error;
      invalidURLs.push(url);
      problems.push({ path: ['urls', String(index)], message: error.message });
    }
  }
  if (problems.length > 0 && (!ignoreInvalidURLs || tasks.length === 0)) {
    const [first] = problems;
    const others = problems.length === 1 ? '' : ` ${problems.length - 1} more are invalid: see "details".`;
    const hint = tasks.length === 0 ? '' : ' To scrape the others anyway, set "ignoreInvalidURLs": true.';
    throw new TrawlError('BAD_REQUEST', `urls.${first?.path[1]}: ${first?.message}${others}${hint}`, {
      details: problems.slice(0, MAX_DETAILS),
    });
  }
  return { tasks, invalidURLs };
}

const MAX_DETAILS = 20;

/** A hash of everything that distinguishes one request from another. */
function hashOf({ urls, options, maxConcurrency, webhook, appendToId }: BatchCall): string {
  return createHash('sha256')
    .update(JSON.stringify([urls, options, maxConcurrency, webhook, appendToId]))
    .digest('hex');
}

function lateWebhook(): TrawlError {
  const message = 'A webhook can only be set when a batch starts. Leave it out together with "appendToId".';
  return new TrawlError('BAD_REQUEST', `webhook: ${message}`, { details: [{ path: ['webhook'], message }] });
}
