import { newId, now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { answerPacking } from '../pages/answer-packing.ts';
import type { ScrapedDocument } from '../pages/document.ts';
import { ownTurn, quickTurn } from '../pages/own-turn.ts';
import { cacheOf } from '../pages/page-cache.ts';
import { pageCosts } from '../pages/page-costs.ts';
import { runPagePipeline } from '../pages/page-pipeline.ts';
import { openProfile } from '../pages/profile-session.ts';
import type { ScrapeRequest } from '../pages/request.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { maxStageCosts } from '../pages/stages.ts';
import type { Store } from '../store/store.ts';
import { requireCredits, reserveCredits } from '../team/credits.ts';
import type { Caller } from '../team/keys.ts';
import { requireFormats, requireProfiles } from '../team/permissions.ts';
import { type Cost, creditsOf } from '../team/prices.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { recordFailure, recordSuccess } from './history.ts';

export interface ScrapeCall {
  caller: Caller;
  request: ScrapeRequest;
  origin: RequestOrigin;
  /** Where the caller reached the service. */
  publicAddress: string;
  /** Aborts when the client disconnects. */
  cancelled: AbortSignal;
}

/**
 * Scrapes one page for a team, from its cache or the web, in the requested formats. Every outcome is recorded and charged
 * before this returns or throws. Throws TrawlError: SCRAPE_* for the target, NOT_AVAILABLE, SCRAPE_TIMEOUT, and FORBIDDEN or
 * PAYMENT_REQUIRED before any work is done.
 */
export async function scrape(services: ScrapeServices, call: ScrapeCall): Promise<ScrapedDocument> {
  const { caller, request, origin, publicAddress, cancelled } = call;
  const { store, fetcher, read, stages, artifacts, resultMs, running, counts, onError } = services;
  requireFormats(caller, request.formats);
  requireProfiles(caller, request);
  using deadline = new Deadline(request.timeout, cancelled);
  using _running = running.begin(caller.teamId);
  const prices = await services.prices();
  const costs = pageCosts(prices, request);
  const id = newId();
  const isReserved = await ensureCredits(store, call, { id, costs, more: maxStageCosts(stages, request, prices) });
  const about = { id, startedAt: now(), caller, request, origin, prices, resultMs, isReserved };
  const pipeline = {
    cache: cacheOf(services, caller),
    share: caller.teamId,
    stages,
    artifacts,
    publicAddress,
  };
  try {
    await using profile = await openProfile({ store, onError }, caller.teamId, request);
    const page = await runPagePipeline(
      { ...pipeline, fetcher: profile?.fetcherOf(fetcher) ?? fetcher },
      answerPacking(read),
      { request, scrapeId: id, costs, prices },
      deadline,
    );
    await profile?.save();
    await recordSuccess({ store, onError }, about, page);
    counts.page('scrape', 'done');
    // Many scrapes are committed together, but their answers need not be written in the same turn.
    await (page.isFromCache ? quickTurn : ownTurn)(caller.teamId);
    return page.document;
  } catch (error) {
    counts.page('scrape', 'failed');
    // The caller needs to know why the scrape failed, not that the failure could not be recorded.
    await recordFailure(store, about, error).catch((failure) => onError(failure, 'a failed scrape was not recorded'));
    throw error;
  }
}

/** A reservation lasts this much longer than the timeout of its scrape, because the record may have to wait for the database. */
const RECORDING_MS = 60_000;

/**
 * Makes sure that the team has enough credits. If the cost is fixed, it only checks the balance. If stages can add to the cost, it
 * reserves the maximum under the id of the scrape. Returns whether it reserved credits.
 */
async function ensureCredits(
  store: Store,
  { caller, request }: ScrapeCall,
  { id, costs, more }: { id: string; costs: readonly Cost[]; more: readonly Cost[] },
): Promise<boolean> {
  const extra = creditsOf(more);
  const credits = creditsOf(costs) + extra;
  if (extra === 0) await requireCredits(store, caller, credits);
  else await reserveCredits(store, caller, { id, credits, ms: request.timeout + RECORDING_MS });
  return extra > 0;
}
