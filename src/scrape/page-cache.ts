import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import type { Store } from '../store/store.ts';
import type { ScrapeRequest } from './request.ts';

export interface CachedCopy {
  page: FetchedPage;
  /** Milliseconds since the epoch. */
  storedAt: number;
}

/** The stored copies of one team: no copy is ever shared between teams. */
export class PageCache {
  readonly #store: Store;
  readonly #teamId: string;

  constructor(store: Store, teamId: string) {
    this.#store = store;
    this.#teamId = teamId;
  }

  /**
   * The copy that the request may be served from, or undefined when the page has to be fetched. Where the request is
   * for the cache alone, a miss throws SCRAPE_LOCKDOWN_CACHE_MISS or SCRAPE_NO_CACHED_DATA.
   */
  async find(target: URL, request: ScrapeRequest): Promise<CachedCopy | undefined> {
    // maxAge 0 asks for a fresh page: no copy can be young enough.
    const copy = request.maxAge === 0 ? null : await this.#store.pages.get(this.#teamId, cacheKey(target, request));
    if (copy !== null && isOfAge(now() - copy.storedAt, request)) return copy;

    if (request.lockdown) {
      throw new TrawlError(
        'SCRAPE_LOCKDOWN_CACHE_MISS',
        'No stored copy of this page fits, and "lockdown" forbids fetching it.',
      );
    }
    if (request.minAge !== undefined) {
      throw new TrawlError(
        'SCRAPE_NO_CACHED_DATA',
        'No stored copy of this page fits. Leave out "minAge" to fetch it.',
      );
    }
    return undefined;
  }

  /** Stores a fetched page if the request allows it and the site answered with success and in full. */
  async keep(target: URL, request: ScrapeRequest, page: FetchedPage): Promise<void> {
    const wanted = request.storeInCache && !request.zeroDataRetention;
    if (!wanted || page.incomplete || page.status < 200 || page.status > 299) return;
    await this.#store.pages.put(this.#teamId, cacheKey(target, request), { page, storedAt: now() });
  }
}

function isOfAge(age: number, { minAge = 0, maxAge = Number.POSITIVE_INFINITY }: ScrapeRequest): boolean {
  return age >= minAge && age <= maxAge;
}

/**
 * What has to be equal for a copy to fit: everything that can change what the site answers. Formats, tags and the like
 * are not in it, because they are made from the copy. `blockAds` is, by the contract.
 */
function cacheKey(target: URL, request: ScrapeRequest): string {
  const { origin, pathname, search } = target;
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
