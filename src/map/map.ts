import { newId, now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { cacheOf } from '../pages/page-cache.ts';
import type { ScrapeServices } from '../pages/services.ts';
import type { RobotsCache } from '../site/robots-cache.ts';
import { requireCredits } from '../team/credits.ts';
import type { Caller } from '../team/keys.ts';
import { type Cost, chargedCosts, costOf, creditsOf } from '../team/prices.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { knownAddresses } from './known-addresses.ts';
import { mapSite, type SiteMap } from './map-site.ts';
import type { MapRequest } from './request.ts';

/** The dependencies of a map. */
export interface MapServices
  extends Pick<ScrapeServices, 'store' | 'fetcher' | 'read' | 'stages' | 'prices' | 'running' | 'counts' | 'onError'> {
  robots: RobotsCache;
}

export interface MapCall {
  caller: Caller;
  request: MapRequest;
  origin: RequestOrigin;
  /** Aborts when the client no longer waits. */
  cancelled: AbortSignal;
}

/**
 * Maps a site for a team. It is recorded, whatever the outcome, before this returns, and charged if it has a result.
 * Throws TrawlError: SCRAPE_* of the site, and PAYMENT_REQUIRED before any work.
 */
export async function map(services: MapServices, call: MapCall): Promise<SiteMap & { id: string }> {
  const { caller, request, cancelled } = call;
  const { store, prices, running } = services;
  using deadline = new Deadline(request.timeout, cancelled);
  using _running = running.begin(caller.teamId);
  const costs = [costOf(await prices(), 'map')];
  await requireCredits(store, caller, creditsOf(costs));
  const start = { id: newId(), at: now() };
  let found: SiteMap;
  try {
    found = await mapSite(sourcesOf(services, caller), request, deadline);
    cancelled.throwIfAborted();
  } catch (error) {
    await record(services, call, start, []).catch((failure) =>
      services.onError(failure, 'a failed map was not recorded'),
    );
    throw error;
  }
  await record(services, call, start, costs);
  return { id: start.id, ...found };
}

function sourcesOf(services: MapServices, { teamId, subject }: Caller) {
  const { store, fetcher, read, robots, stages } = services;
  return {
    fetcher,
    read,
    robots,
    shells: stages.shells,
    cache: cacheOf(services, { teamId, subject }),
    share: teamId,
    // Callers without a key share a team with strangers, and addresses can hold secrets.
    known: subject === teamId ? (site: URL) => knownAddresses(store, teamId, site) : undefined,
  };
}

async function record(
  { store }: MapServices,
  { caller, request, origin }: MapCall,
  { id, at }: { id: string; at: number },
  costs: readonly Cost[],
): Promise<void> {
  const { teamId, keyId } = caller;
  await store.activity.record({
    activity: {
      teamId,
      id,
      endpoint: 'map',
      target: request.url,
      keyId,
      createdAt: at,
      ...origin,
    },
    charge:
      creditsOf(costs) === 0
        ? null
        : {
            teamId,
            key: `map:${id}`,
            keyId,
            capability: 'map',
            jobId: id,
            ...chargedCosts(costs),
            tokens: 0,
            chargedAt: now(),
          },
  });
}
