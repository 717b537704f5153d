import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import type { Fetcher } from '../fetch/types.ts';
import { type JobServices, startJob } from '../jobs/start-job.ts';
import { maxPageCredits } from '../pages/page-costs.ts';
import type { PageStages } from '../pages/stages.ts';
import { addressKey } from '../site/addresses.ts';
import { createScope } from '../site/scope.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy } from '../site/threat-protection.ts';
import type { NewTask } from '../store/operations/jobs/add-tasks.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats, requireProfiles } from '../team/permissions.ts';
import type { Prices } from '../team/prices.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import type { WebhookRequest } from '../webhook/new-webhook.ts';
import { type CrawlOptions, type StoredCrawl, scopeOptions } from './crawl-options.ts';
import { summarize } from './crawl-summary.ts';

export interface CrawlServices extends JobServices {
  /** Checks whether the start may be fetched at all. */
  fetcher: Pick<Fetcher, 'check'>;
  /** The prices in force. */
  prices: () => Promise<Prices>;
  stages: PageStages;
}

export interface CrawlCall extends Omit<StoredCrawl, 'prices'> {
  caller: Caller;
  /** The request, for the list of running crawls. */
  asked: Readonly<Record<string, unknown>>;
  /** The webhook; null for none. */
  webhook: WebhookRequest | null;
  /** The key and the text of a request that may be sent twice. The text, because a prompt may be interpreted differently each time. */
  idempotency: { key: string; text: string } | null;
  origin: RequestOrigin;
}

/**
 * Starts a crawl and returns its id. By then it is on disk, and the credits for all its pages are reserved. Throws
 * TrawlError: FORBIDDEN for formats that the key may not request, SCRAPE_BLOCKED_TARGET, BAD_REQUEST for a regular
 * expression, PAYMENT_REQUIRED, QUEUE_FULL, CONFLICT when the idempotency key was used for another request.
 */
export async function startCrawl(services: CrawlServices, call: CrawlCall): Promise<string> {
  const { caller, page, asked, webhook, idempotency, origin, publicAddress } = call;
  requireFormats(caller, page.formats);
  requireProfiles(caller, page);
  const start = parseTarget(call.options.url);
  const options = { ...call.options, url: start.href };
  services.fetcher.check(start);
  checkThreatPolicy(start, page.threatProtection);
  await createScope(scopeOptions(options));
  const prices = await services.prices();
  const stored: StoredCrawl = { options, page, prices, publicAddress };
  return startJob(services, {
    caller,
    kind: 'crawl',
    options: JSON.stringify(stored),
    formats: page.formats,
    summary: JSON.stringify(summarize(options.url, asked)),
    taskCredits: maxPageCredits(prices, services.stages, page),
    tasks: firstTasks(start, options),
    taskLimit: options.limit,
    maxConcurrency: options.delay > 0 ? 1 : options.maxConcurrency,
    delay: Math.round(options.delay * 1000),
    request: idempotency && { key: idempotency.key, hash: hashOf(idempotency.text) },
    webhook,
    zeroDataRetention: page.zeroDataRetention,
    endpoint: 'crawl',
    target: start.href,
    origin,
    at: now(),
  });
}

function firstTasks(start: URL, options: CrawlOptions): NewTask[] {
  const { host } = start;
  const page: NewTask = { key: addressKey(start, options), payload: start.href, host, depth: 0 };
  // The sitemaps of a site are those in its robots.txt. Of all sitemaps, only that task is at depth 0.
  const sitemaps: NewTask = {
    role: 'helper',
    key: 'sitemaps',
    payload: `${start.origin}/robots.txt`,
    host,
    depth: 0,
  };
  switch (options.sitemap) {
    case 'skip':
      return [page];
    case 'only':
      return [sitemaps];
    case 'include':
      return [page, sitemaps];
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
