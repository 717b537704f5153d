import type { Store } from '../store/store.ts';

/** 5 ms of work for SQLite, which reads in the main thread. */
const BATCH = 500;

/**
 * The addresses of pages in the team's own cache that are on the site or another host under its domain, in batches.
 * Other teams' addresses stay private.
 */
export async function* knownAddresses(store: Store, teamId: string, { hostname }: URL): AsyncGenerator<string[]> {
  const { getDomain } = await import('tldts');
  const domain = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  let after = null;
  do {
    const { urls, next } = await store.pages.ofDomain(teamId, domain, { after, limit: BATCH });
    yield urls;
    after = next;
  } while (after !== null);
}
