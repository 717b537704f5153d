import { newId, now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { scrapeCredits } from '../pages/credits.ts';
import type { ScrapedDocument } from '../pages/document.ts';
import { ownTurn } from '../pages/own-turn.ts';
import { cacheOf } from '../pages/page-cache.ts';
import type { ScrapeRequest } from '../pages/request.ts';
import { scrapePage } from '../pages/scrape-page.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { requireCredits } from '../team/credits.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats } from '../team/permissions.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { recordFailure, recordSuccess } from './history.ts';

export interface ScrapeCall {
  caller: Caller;
  request: ScrapeRequest;
  origin: RequestOrigin;
  /** Aborts when nobody waits for the answer any more. */
  cancelled: AbortSignal;
}

/**
 * Scrapes one page for a team: from its cache or the web, in the formats asked for. Whatever the outcome, it is on
 * record when this returns, and charged for. Throws TrawlError: SCRAPE_* of the target, NOT_AVAILABLE, SCRAPE_TIMEOUT,
 * and FORBIDDEN or PAYMENT_REQUIRED before anything is done.
 */
export async function scrape(services: ScrapeServices, call: ScrapeCall): Promise<ScrapedDocument> {
  const { caller, request, origin, cancelled } = call;
  const { store, fetcher, read, resultMs, running, counts, onError } = services;
  requireFormats(caller, request.formats);
  using deadline = new Deadline(request.timeout, cancelled);
  using _running = running.begin(caller.teamId);
  const prices = await services.prices();
  const credits = scrapeCredits(prices, request);
  await requireCredits(store, caller, credits);
  const about = { id: newId(), startedAt: now(), caller, request, origin, prices, resultMs };
  const cache = cacheOf(services, caller);
  try {
    const sources = { fetcher, cache, share: caller.teamId, read };
    const { document } = await scrapePage(sources, request, { id: about.id, credits }, deadline);
    await recordSuccess({ store, onError }, about, document);
    counts.page('scrape', 'done');
    // Records of many scrapes become durable together; their answers need not be written together.
    await ownTurn(caller.teamId);
    return document;
  } catch (error) {
    counts.page('scrape', 'failed');
    // The caller needs to know why the scrape failed, not that this could not be recorded.
    await recordFailure(store, about, error).catch((failure) => onError(failure, 'a failed scrape was not recorded'));
    throw error;
  }
}
