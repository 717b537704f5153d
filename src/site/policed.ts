import { RobotsCache } from './robots-cache.ts';
import type { SiteFetcher } from './site-fetcher.ts';
import { type ThreatPolicy, withPolicy } from './threat-protection.ts';

interface WaysOut {
  fetcher: SiteFetcher;
  robots: RobotsCache;
}

/** Number of policies whose robots.txt files are cached: few callers have one, and jobs of one caller share it. */
const MAX_POLICIES = 8;
const caches = new WeakMap<SiteFetcher, Map<string, RobotsCache>>();

/**
 * The same services under the threat policy of a request: no page, sitemap or robots.txt is fetched from a refused
 * host, not even by a redirect. A robots.txt that was fetched without the policy is fetched again, because its
 * redirects may have passed refused hosts.
 */
export function policed<Services extends WaysOut>(services: Services, policy: ThreatPolicy | undefined): Services {
  if (policy === undefined || policy.mode === 'off') return services;
  const fetcher = withPolicy(services.fetcher, policy);
  const byPolicy = caches.get(services.fetcher) ?? new Map<string, RobotsCache>();
  caches.set(services.fetcher, byPolicy);

  const name = JSON.stringify(policy);
  const robots = byPolicy.get(name) ?? new RobotsCache(fetcher);
  // The map keeps its entries in the order of use.
  byPolicy.delete(name);
  byPolicy.set(name, robots);
  const [oldest] = byPolicy.keys();
  if (byPolicy.size > MAX_POLICIES && oldest !== undefined) byPolicy.delete(oldest);
  return { ...services, fetcher, robots };
}
