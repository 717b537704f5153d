import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { MAX_DOCUMENT_LENGTH, type ScrapedDocument } from '../pages/document.ts';
import type { MadePage } from '../pages/page-pipeline.ts';
import type { ScrapeRequest } from '../pages/request.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { NewScrape } from '../store/scrapes.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats } from '../team/permissions.ts';
import { type Cost, chargedCosts, costOf, creditsOf, type Prices } from '../team/prices.ts';
import type { RequestOrigin } from '../team/request-origin.ts';

/** What is known about a scrape when it begins. */
export interface ScrapeStart {
  id: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  caller: Caller;
  request: ScrapeRequest;
  origin: RequestOrigin;
  prices: Prices;
  /** How long the result can be retrieved, in milliseconds. */
  resultMs: number;
  /** Whether credits are reserved under its id. */
  isReserved: boolean;
}

/**
 * Resolves when the scrape, its charge and its document are on disk. With zero data retention, only the fact that there was a
 * scrape is stored. If the store refuses the record permanently, it is stored as with zero data retention: the charge is the
 * same, but the result cannot be retrieved.
 */
export async function recordSuccess(
  { store, onError }: Pick<ScrapeServices, 'store' | 'onError'>,
  start: ScrapeStart,
  page: MadePage,
): Promise<void> {
  try {
    await record(store, start, page);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    onError(error, 'the store refused the record of a scrape; storing it without the document');
    await record(store, { ...start, request: { ...start.request, zeroDataRetention: true } }, page);
  }
}

async function record(store: Store, start: ScrapeStart, { document, costs, cached }: MadePage): Promise<void> {
  const kept = start.request.zeroDataRetention ? null : JSON.stringify(document);
  const isShort = kept !== null && kept.length <= MAX_DOCUMENT_LENGTH;
  const about = recordOf(start);
  await store.scrapes.record({
    ...about,
    outcome: 'completed',
    errorCode: null,
    errorMessage: null,
    credits: creditsOf(costs),
    charge: chargeOf(`scrape:${start.id}`, about, costs),
    document: kept,
    cached: isShort ? cached : null,
  });
}

/**
 * Resolves when the failure of the scrape and its reason are on disk. A failed scrape costs nothing, except for the cache lookup
 * if the request allowed no more than that.
 */
export async function recordFailure(store: Store, start: ScrapeStart, error: unknown): Promise<void> {
  const { code, message } = error instanceof TrawlError ? error : { code: 'INTERNAL_ERROR', message: null };
  const record = recordOf(start);
  const costs = code === 'SCRAPE_LOCKDOWN_CACHE_MISS' ? [costOf(start.prices, 'search of the cache')] : [];
  await store.scrapes.record({
    ...record,
    outcome: 'failed',
    errorCode: code,
    // Messages name hosts and addresses.
    errorMessage: start.request.zeroDataRetention ? null : message,
    credits: creditsOf(costs),
    charge: creditsOf(costs) === 0 ? null : chargeOf(`lockdown-miss:${start.id}`, record, costs),
    document: null,
    cached: null,
  });
}

/**
 * Returns the document of an earlier scrape of the caller, exactly as it was answered. Throws NOT_FOUND, also for a scrape of
 * another team or client, and FORBIDDEN for formats that the key may not read.
 */
export async function findScrape(store: Store, caller: Caller, id: string): Promise<ScrapedDocument> {
  const scrape = await store.scrapes.get(caller.teamId, id, clientOf(caller));
  if (scrape === null || scrape.document === null) {
    throw new TrawlError(
      'NOT_FOUND',
      'There is no result with this id: the id is wrong, the scrape failed, or the result has expired.',
    );
  }
  requireFormats(caller, scrape.formats);
  return JSON.parse(scrape.document);
}

/** The client that alone may read the result of a call without a key. Null for calls with a key. */
function clientOf({ teamId, subject }: Caller): string | null {
  return subject === teamId ? null : subject;
}

function recordOf({ id, startedAt, caller, request, origin, resultMs, isReserved }: ScrapeStart) {
  const finishedAt = now();
  const { url, headers, zeroDataRetention, ...options } = request;
  // Only the names of headers are stored, because their values can be passwords of the site.
  const storedOptions = { ...options, headers: Object.keys(headers) };
  return {
    id,
    teamId: caller.teamId,
    keyId: caller.keyId,
    client: clientOf(caller),
    url: zeroDataRetention ? null : url,
    options: zeroDataRetention ? null : storedOptions,
    ...origin,
    isReserved,
    createdAt: startedAt,
    duration: finishedAt - startedAt,
    expiresAt: finishedAt + resultMs,
  } satisfies Partial<NewScrape>;
}

/** The key contains the id of the scrape, so recording it twice does not charge it twice. */
function chargeOf(
  key: Charge['key'],
  { id, teamId, keyId, createdAt, duration }: ReturnType<typeof recordOf>,
  costs: readonly Cost[],
) {
  const chargedAt = createdAt + duration;
  return { teamId, key, keyId, capability: 'scrape', jobId: id, ...chargedCosts(costs), tokens: 0, chargedAt };
}
