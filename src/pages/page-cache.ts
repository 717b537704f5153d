import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import { parseTarget } from '../site/target.ts';
import type { Compressed } from '../store/compression.ts';
import type { PageRow } from '../store/operations/pages.ts';
import { toPageRow } from '../store/pages.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import type { ScrapeRequest } from './request.ts';
import type { ScrapeServices } from './services.ts';

export interface CachedCopy {
  page: FetchedPage;
  /** Milliseconds since the epoch. */
  storedAt: number;
}

/** What keeps the copies, counts how often there is one, and is told when a page could not be stored. */
type CacheServices = Pick<ScrapeServices, 'store' | 'counts' | 'onError'>;

/**
 * Where a caller's copies are. Callers without a key share a team and are strangers to each other: a copy of one would
 * tell the others what was scraped, so none is kept.
 */
export function cacheOf(services: CacheServices, caller: Pick<Caller, 'teamId' | 'subject'>): PageCache | undefined {
  const { teamId, subject } = caller;
  return subject === teamId ? new PageCache(services, teamId) : undefined;
}

/** The stored copies of one team: no copy is ever shared between teams. */
export class PageCache {
  readonly #store: Store;
  readonly #teamId: string;
  readonly #counts: CacheServices['counts'];
  readonly #onError: CacheServices['onError'];

  constructor({ store, counts, onError }: CacheServices, teamId: string) {
    this.#store = store;
    this.#counts = counts;
    this.#onError = onError;
    this.#teamId = teamId;
  }

  /** The copy that the request may be served from, or undefined. */
  async find(request: ScrapeRequest): Promise<CachedCopy | undefined> {
    // maxAge 0 asks for a fresh page: no copy can be young enough.
    const copy = request.maxAge === 0 ? null : await this.#store.pages.get(this.#teamId, cacheKey(request));
    const isHit = copy !== null && isOfAge(now() - copy.storedAt, request);
    this.#counts.cache(isHit ? 'hit' : 'miss');
    return isHit ? copy : undefined;
  }

  /** Whether the request allows that a fetched page is stored, and the site answered with success and in full. */
  keeps(request: ScrapeRequest, page: FetchedPage): boolean {
    const wanted = request.storeInCache && !request.zeroDataRetention;
    return wanted && !page.incomplete && page.status >= 200 && page.status <= 299;
  }

  /** Stores a fetched page, if it may be. Never rejects: a page that is not cached is still a page. */
  async keep(request: ScrapeRequest, page: FetchedPage): Promise<void> {
    if (!this.keeps(request, page)) return;
    try {
      await this.#store.pages.put(this.#teamId, cacheKey(request), { page, storedAt: now() });
    } catch (error) {
      this.#onError(error, 'a page was not stored in the cache');
    }
  }

  /** A fetched page that may be stored as it is stored, for whoever stores it along with something else. */
  row(request: ScrapeRequest, page: FetchedPage, body: Compressed): PageRow {
    return toPageRow(this.#teamId, cacheKey(request), { page, storedAt: now() }, body);
  }
}

/**
 * Refuses to fetch a page where the request is for the cache alone.
 * @throws SCRAPE_LOCKDOWN_CACHE_MISS, SCRAPE_NO_CACHED_DATA
 */
export function requireFetchable({ lockdown, minAge }: ScrapeRequest): void {
  if (lockdown) {
    throw new TrawlError(
      'SCRAPE_LOCKDOWN_CACHE_MISS',
      'No stored copy of this page fits, and "lockdown" forbids fetching it.',
    );
  }
  if (minAge !== undefined) {
    throw new TrawlError('SCRAPE_NO_CACHED_DATA', 'No stored copy of this page fits. Leave out "minAge" to fetch it.');
  }
}

function isOfAge(age: number, { minAge = 0, maxAge = Number.POSITIVE_INFINITY }: ScrapeRequest): boolean {
  return age >= minAge && age <= maxAge;
}

/**
 * What has to be equal for a copy to fit: everything that can change what the site answers. Formats, tags and the like
 * are not in it, because they are made from the copy. `blockAds` is, by the contract.
 */
function cacheKey(request: ScrapeRequest): string {
  const { origin, pathname, search } = parseTarget(request.url);
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const parts = [
    origin + pathname + search,
    request.mobile,
    request.location,
    request.blockAds,
    request.verifyTls,
    request.proxy,
    headers.sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
