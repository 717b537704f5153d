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

/** What is known of a scrape when it begins. */
export interface ScrapeStart {
  id: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  caller: Caller;
  request: ScrapeRequest;
  origin: RequestOrigin;
  prices: Prices;
  /** How long the result can be fetched again, in milliseconds. */
  resultMs: number;
  /** Whether credits are set aside under its id. */
  isReserved: boolean;
}

/**
 * Resolves when the scrape, its charge and its document are on disk; with zero data retention, that there was a scrape. If
 * the store refuses the record for good, it is kept as under zero data retention: the charge is the same, and the result
 * cannot be read again.
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
    onError(error, 'the store refused the record of a scrape; it is kept without the document');
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
 * Resolves when it is on disk that the scrape failed, and why. A failed scrape costs nothing, but for the search of the
 * cache when that was all it might do.
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
 * The document of the caller's earlier scrape, as it was answered. Throws NOT_FOUND, also for the scrape of another team
 * or client, and FORBIDDEN for formats that the key may not have.
 */
export async function findScrape(store: Store, caller: Caller, id: string): Promise<ScrapedDocument> {
  const scrape = await store.scrapes.get(caller.teamId, id, clientOf(caller));
  if (scrape === null || scrape.document === null) {
    throw new TrawlError(
      'NOT_FOUND',
      'There is no result under this id: it never was, it failed, or its time is over.',
    );
  }
  requireFormats(caller, scrape.formats);
  return JSON.parse(scrape.document);
}

/** Who alone may read a result of a call without a key; null for every other call. */
function clientOf({ teamId, subject }: Caller): string | null {
  return subject === teamId ? null : subject;
}

function recordOf({ id, startedAt, caller, request, origin, resultMs, isReserved }: ScrapeStart) {
  const finishedAt = now();
  const { url, headers, zeroDataRetention, ...options } = request;
  // Values of headers can be passwords of the site; what was asked for is told by their names.
  const told = { ...options, headers: Object.keys(headers) };
  return {
    id,
    teamId: caller.teamId,
    keyId: caller.keyId,
    client: clientOf(caller),
    url: zeroDataRetention ? null : url,
    options: zeroDataRetention ? null : told,
    ...origin,
    isReserved,
    createdAt: startedAt,
    duration: finishedAt - startedAt,
    expiresAt: finishedAt + resultMs,
  } satisfies Partial<NewScrape>;
}

/** The id of the scrape is in the key: to record it twice could not charge it twice. */
function chargeOf(
  key: Charge['key'],
  { id, teamId, keyId, createdAt, duration }: ReturnType<typeof recordOf>,
  costs: readonly Cost[],
) {
  const chargedAt = createdAt + duration;
  return { teamId, key, keyId, capability: 'scrape', jobId: id, ...chargedCosts(costs), tokens: 0, chargedAt };
}
