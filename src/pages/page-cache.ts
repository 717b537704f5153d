import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import { routeOf } from '../site/addresses.ts';
import { parseTarget } from '../site/target.ts';
import type { Compressed } from '../store/compression.ts';
import type { PageRow } from '../store/operations/pages.ts';
import { type StoredCopy, type StoredDocument, toPageRow } from '../store/pages.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import { VERSION } from '../version.ts';
import { needsBrowser } from './needs-browser.ts';
import type { ScrapeRequest } from './request.ts';
import type { ScrapeServices } from './services.ts';

/** The key of a document in the cache. */
export interface DocumentKey {
  teamId: string;
  key: string;
  shape: string;
  copiedAt: number;
}

/** The store of the copies, the hit and miss counts, and the handler of failed writes. */
type CacheServices = Pick<ScrapeServices, 'store' | 'counts' | 'onError'>;

/**
 * The cache of a caller, or undefined without a key. Callers without a key share one team but must not learn what the others
 * scrape, which a shared cache would reveal.
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

  /** The copy that can serve the request, or undefined. */
  find(request: ScrapeRequest): Promise<StoredCopy | undefined> {
    return this.#find(request, (key) => this.#store.pages.get(this.#teamId, key));
  }

  /** The same, or the finished document instead of the copy if it was made from this copy with the same options. */
  findDocument(request: ScrapeRequest): Promise<StoredDocument | StoredCopy | undefined> {
    return this.#find(request, (key) => this.#store.pages.getDocument(this.#teamId, key, shapeOf(request)));
  }

  async #find<Found extends { storedAt: number }>(
    request: ScrapeRequest,
    get: (key: string) => Promise<Found | null>,
  ): Promise<Found | undefined> {
    // What a profile shows is for nobody else.
    if (request.profile !== undefined) return undefined;
    // maxAge 0 asks for a fresh page: no copy is young enough.
    const found = request.maxAge === 0 ? null : await get(cacheKey(request));
    const isHit = found !== null && isOfAge(now() - found.storedAt, request);
    this.#counts.cache(isHit ? 'hit' : 'miss');
    return isHit ? found : undefined;
  }

  /** Whether the request allows anything to be stored. */
  mayStore({ storeInCache, zeroDataRetention, profile }: ScrapeRequest): boolean {
    return storeInCache && !zeroDataRetention && profile === undefined;
  }

  /** Whether a fetched page may be stored: the request allows it, and the site answered successfully and in full. */
  keeps(request: ScrapeRequest, page: FetchedPage): boolean {
    return this.mayStore(request) && !page.incomplete && page.status >= 200 && page.status <= 299;
  }

  /**
   * Stores a fetched page if that is allowed. Resolves with the timestamp of the copy, or undefined if none was stored. Never
   * rejects: a scrape succeeds even if its page could not be cached.
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

  /** The row of a fetched page, for a caller that stores it together with something else. */
  row(request: ScrapeRequest, page: FetchedPage, body: Compressed): PageRow {
    return toPageRow(this.#teamId, cacheKey(request), { page, storedAt: now() }, body);
  }

  /** The key for the document of a copy, if the document may be stored. */
  documentKey(request: ScrapeRequest, copiedAt: number): DocumentKey | undefined {
    if (!this.mayStore(request)) return undefined;
    return { teamId: this.#teamId, key: cacheKey(request), shape: shapeOf(request), copiedAt };
  }
}

/**
 * Refuses to fetch a page if the request must be served from the cache.
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
 * Identifies a copy by everything that can change the site's answer. Formats, tags and the like are not part of it, because
 * documents are made from the copy. `blockAds` is part of it, as the contract demands.
 */
function cacheKey(request: ScrapeRequest): string {
  const target = parseTarget(request.url);
  const { origin, pathname, search } = target;
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const parts = [
    origin + pathname + search + routeOf(target),
    request.mobile,
    request.location,
    request.blockAds,
    request.verifyTls,
    request.proxy,
    ...(needsBrowser(request) ? [request.waitFor, request.actions, request.screenshot] : []),
    headers.sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Identifies the form of a document: the version that made it, and every option except those known not to affect it. The
 * exceptions change the site's answer and are part of the key of the copy, or control where the page comes from and how it is
 * stored, or are facts that are written into each document anew.
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
    // Options of jobs have been JSON, which leaves out what is undefined.
  }).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify([VERSION, parts.sort()]))
    .digest('hex');
}
