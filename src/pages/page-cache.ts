import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import { parseTarget } from '../site/target.ts';
import type { Compressed } from '../store/compression.ts';
import type { PageRow } from '../store/operations/pages.ts';
import { type StoredCopy, type StoredDocument, toPageRow } from '../store/pages.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import { VERSION } from '../version.ts';
import type { ScrapeRequest } from './request.ts';
import type { ScrapeServices } from './services.ts';

/** A document, and where the cache keeps it. */
export interface DocumentPlace {
  teamId: string;
  key: string;
  shape: string;
  copiedAt: number;
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
  find(request: ScrapeRequest): Promise<StoredCopy | undefined> {
    return this.#find(request, (key) => this.#store.pages.get(this.#teamId, key));
  }

  /** The same, and in its place the document that the request asks for if it was made of this copy before. */
  findDocument(request: ScrapeRequest): Promise<StoredDocument | StoredCopy | undefined> {
    return this.#find(request, (key) => this.#store.pages.getDocument(this.#teamId, key, shapeOf(request)));
  }

  async #find<Found extends { storedAt: number }>(
    request: ScrapeRequest,
    get: (key: string) => Promise<Found | null>,
  ): Promise<Found | undefined> {
    // maxAge 0 asks for a fresh page: no copy can be young enough.
    const found = request.maxAge === 0 ? null : await get(cacheKey(request));
    const isHit = found !== null && isOfAge(now() - found.storedAt, request);
    this.#counts.cache(isHit ? 'hit' : 'miss');
    return isHit ? found : undefined;
  }

  /** Whether the request allows that anything is stored. */
  mayStore({ storeInCache, zeroDataRetention }: ScrapeRequest): boolean {
    return storeInCache && !zeroDataRetention;
  }

  /** Whether the request allows that a fetched page is stored, and the site answered with success and in full. */
  keeps(request: ScrapeRequest, page: FetchedPage): boolean {
    return this.mayStore(request) && !page.incomplete && page.status >= 200 && page.status <= 299;
  }

  /**
   * Stores a fetched page, if it may be. Resolves with the time that the copy has; undefined without one. Never rejects: a
   * page that is not cached is still a page.
   */
  async keep(request: ScrapeRequest, page: FetchedPage): Promise<number | undefined> {
    if (!this.keeps(request, page)) return undefined;
    const storedAt = now();
    try {
      await this.#store.pages.put(this.#teamId, cacheKey(request), { page, storedAt });
      return storedAt;
    } catch (error) {
      this.#onError(error, 'a page was not stored in the cache');
      return undefined;
    }
  }

  /** A fetched page that may be stored as it is stored, for whoever stores it along with something else. */
  row(request: ScrapeRequest, page: FetchedPage, body: Compressed): PageRow {
    return toPageRow(this.#teamId, cacheKey(request), { page, storedAt: now() }, body);
  }

  /** Where the document of a copy is kept, if it may be. */
  placeOf(request: ScrapeRequest, copiedAt: number): DocumentPlace | undefined {
    if (!this.mayStore(request)) return undefined;
    return { teamId: this.#teamId, key: cacheKey(request), shape: shapeOf(request), copiedAt };
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

/**
 * What has to be equal for a document to fit: the version that made it, and every option but those that are known to leave
 * it as it is. Those change what the site answers, and then they are in the key of the copy; or they say where the page may come
 * from and how it is stored; or each document is told of them anew.
 */
function shapeOf(request: ScrapeRequest): string {
  const {
    url: _url,
    headers: _headers,
    mobile: _mobile,
    location: _location,
    verifyTls: _verifyTls,
    ...content
  } = request;
  const {
    blockAds: _ads,
    proxy: _proxy,
    timeout: _timeout,
    threatProtection: _policy,
    warnings: _said,
    ...more
  } = content;
  const {
    maxAge: _max,
    minAge: _min,
    storeInCache: _store,
    lockdown: _lock,
    zeroDataRetention: _zero,
    ...shaping
  } = more;
  const { redactPII } = shaping;
  const parts = Object.entries({
    ...shaping,
    formats: shaping.formats.toSorted(),
    redactPII: redactPII && [redactPII.entities, redactPII.replaceStyle],
  });
  return createHash('sha256')
    .update(JSON.stringify([VERSION, parts.sort()]))
    .digest('hex');
}
