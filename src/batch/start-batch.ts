import { createHash } from 'node:crypto';
import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { scrapeCredits } from '../scrape/credits.ts';
import type { RequestOrigin, ScrapeOptions } from '../scrape/request.ts';
import { parseTarget } from '../scrape/target.ts';
import type { NewPage } from '../store/operations/jobs/add-pages.ts';
import type { JobAnswer, JobLimits } from '../store/operations/jobs/start-job.ts';
import type { Store } from '../store/store.ts';
import { daysOf, periodAt } from '../team/billing-periods.ts';
import { paymentRequired } from '../team/credits.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats } from '../team/permissions.ts';
import type { Prices } from '../team/prices.ts';
import { newWebhook, type WebhookRequest, type WebhookServices } from '../webhook/new-webhook.ts';

export interface BatchServices extends WebhookServices {
  /** The prices in force. */
  prices: () => Promise<Prices>;
  /** How long results can be read after the end, in milliseconds. */
  resultMs: number;
  /** Tells the worker of this process, if there is one, that there is work. */
  wakeWorker: () => void;
}

/** What is asked of every page. */
export interface BatchOptions extends ScrapeOptions {
  ignoreRobotsTxt: boolean;
}

export interface BatchCall {
  caller: Caller;
  /** As the caller wrote them. */
  urls: readonly string[];
  /** Leave out what is not an address, instead of refusing all. */
  ignoreInvalidURLs: boolean;
  options: BatchOptions;
  maxConcurrency: number | null;
  /** Where it tells of itself; null is nowhere. */
  webhook: WebhookRequest | null;
  /** The batch to add to; null for a new one. */
  appendToId: string | null;
  /** Of a request that may come twice. */
  idempotencyKey: string | null;
  origin: RequestOrigin;
}

export interface StartedBatch {
  id: string;
  /** What was left out because it is not an address. */
  invalidURLs: string[];
}

/** With zero data retention results are there to be fetched, and not to be kept. */
const ZERO_RETENTION_MS = 3_600_000;

/**
 * Starts a batch, or adds to one. When this returns it is on disk and will be worked on, and the credits of all pages
 * are set aside. Throws TrawlError: FORBIDDEN for formats that the key may not ask for, BAD_REQUEST for addresses, PAYMENT_REQUIRED, QUEUE_FULL, NOT_FOUND for the batch to
 * add to, CONFLICT when that has ended or the idempotency key was used for something else.
 */
export async function startBatch(services: BatchServices, call: BatchCall): Promise<StartedBatch> {
  const { caller, options, appendToId } = call;
  requireFormats(caller, options.formats);
  if (appendToId !== null && call.webhook !== null) throw lateWebhook();
  const { pages, invalidURLs } = readAddresses(call);
  const at = now();
  const period = periodAt(caller.billingAnchor, at);
  const { monthlyCredits, queuedJobs } = caller.plan;
  const limits: JobLimits = {
    queuedPages: queuedJobs,
    credits: monthlyCredits === null ? null : { span: daysOf(period), limit: monthlyCredits },
  };
  const request = call.idempotencyKey === null ? null : { key: call.idempotencyKey, hash: hashOf(call) };

  const answer =
    appendToId === null
      ? await services.store.jobs.start(await newBatch(services, call, { pages, limits, request, at }))
      : await services.store.jobs.append({
          id: appendToId,
          teamId: caller.teamId,
          kind: 'batch',
          pages,
          limits,
          request,
          at,
        });
  if (answer.type !== 'accepted') throw refusal(answer, call, pages.length, period);
  services.wakeWorker();
  return { id: answer.id, invalidURLs };
}

async function newBatch(
  services: BatchServices,
  { caller, options, maxConcurrency, webhook, origin }: BatchCall,
  start: Pick<Parameters<Store['jobs']['start']>[0], 'pages' | 'limits' | 'request'> & { at: number },
) {
  const { prices, resultMs } = services;
  const { pages, limits, request, at } = start;
  const id = newId();
  const { teamId, keyId } = caller;
  const { apiVersion } = origin;
  return {
    job: {
      id,
      teamId,
      keyId,
      kind: 'batch' as const,
      apiVersion,
      options: JSON.stringify(options),
      pageCredits: scrapeCredits(await prices(), options),
      priority: 0,
      maxConcurrency,
      delay: 0,
      keepMs: options.zeroDataRetention ? Math.min(resultMs, ZERO_RETENTION_MS) : resultMs,
      createdAt: at,
    },
    pages,
    limits,
    request,
    webhook: webhook && (await newWebhook(services, teamId, webhook)),
    activity: {
      teamId,
      id,
      endpoint: 'batch_scrape',
      apiVersion,
      target: options.zeroDataRetention ? null : (pages[0]?.url ?? null),
      keyId,
      origin: origin.origin ?? null,
      integration: origin.integration ?? null,
      createdAt: at,
    },
  };
}

function readAddresses({ urls, ignoreInvalidURLs }: BatchCall): { pages: NewPage[]; invalidURLs: string[] } {
  const pages: NewPage[] = [];
  const invalidURLs: string[] = [];
  const problems: { path: string[]; message: string }[] = [];
  for (const [index, url] of urls.entries()) {
    try {
      // Of an address that is given twice both are scraped: who sends 100 addresses looks for 100 results.
      pages.push({ key: null, url, host: parseTarget(url).host, depth: 0 });
    } catch (error) {
      if (!(error instanceof TrawlError)) throw error;
      invalidURLs.push(url);
      problems.push({ path: ['urls', String(index)], message: error.message });
    }
  }
  if (problems.length > 0 && (!ignoreInvalidURLs || pages.length === 0)) {
    const [first] = problems;
    const others = problems.length === 1 ? '' : ` So are ${problems.length - 1} others: see "details".`;
    const hint = pages.length === 0 ? '' : ' To scrape the rest all the same, set "ignoreInvalidURLs": true.';
    throw new TrawlError('BAD_REQUEST', `urls.${first?.path[1]}: ${first?.message}${others}${hint}`, {
      details: problems.slice(0, MOST_DETAILS),
    });
  }
  return { pages, invalidURLs };
}

const MOST_DETAILS = 100;

/** Of all that makes a request what it is. */
function hashOf({ urls, options, maxConcurrency, webhook, appendToId }: BatchCall): string {
  return createHash('sha256')
    .update(JSON.stringify([urls, options, maxConcurrency, webhook, appendToId]))
    .digest('hex');
}

function refusal(
  answer: Exclude<JobAnswer, { type: 'accepted' }>,
  { caller, appendToId }: BatchCall,
  pages: number,
  period: ReturnType<typeof periodAt>,
): TrawlError {
  switch (answer.type) {
    case 'unpaid':
      return paymentRequired(caller, answer.balance, answer.credits, period);
    case 'queue full':
      return new TrawlError(
        'QUEUE_FULL',
        `Queue limit exceeded. The plan "${caller.plan.name}" lets ${caller.plan.queuedJobs} pages wait; ${answer.waiting} do, and these are ${pages}. Send fewer, or wait until some are done.`,
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

function lateWebhook(): TrawlError {
  const message = 'A batch gets its webhook when it starts. Leave it out beside "appendToId".';
  return new TrawlError('BAD_REQUEST', `webhook: ${message}`, { details: [{ path: ['webhook'], message }] });
}
