import { setImmediate as nextTurn } from 'node:timers/promises';
import { resolveAddress } from '../content/address.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { type SitemapBatch, SitemapParser } from './sitemap-parser.ts';
import { CutOff, sitemapText } from './sitemap-text.ts';

/** sitemaps.org: a sitemap must be no larger than 50 MB, decompressed. */
const MAX_BYTES = 52_428_800;
/** Less than a megabyte a second for the largest one. A silent site must not delay a crawl for longer. */
const FETCH_MS = 60_000;
/** Entries that are handed on at a time. */
const BATCH = 1_000;
/** A newspaper of a hundred years has some thousand, one for each week or month. */
const MAX_FILES = 5_000;
/** Sitemaps of one site that are fetched at the same time. Each may take the memory of a page, and loads the site. */
const AT_ONCE = 4;

/** Usual places of a sitemap when robots.txt names none, the most common first. */
export const USUAL_PLACES = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
];

export interface SitemapRead extends SitemapBatch {
  /** The sitemap that this batch is from. */
  sitemap: string;
  /** Why the sitemap could not be read to its end, as a sentence. */
  problem?: string;
}

export interface SitemapOptions {
  fetcher: Fetcher;
  deadline: Deadline;
  /** The id of the team. */
  share: string;
  /** Of one sitemap, decompressed. */
  maxBytes?: number;
}

/**
 * The addresses of one sitemap, in batches. No content and no response of the site is an error: the last batch names
 * the problem. Takes memory for the response and one batch.
 * @throws TrawlError when the address may not be fetched at all, or the deadline's reason
 */
export async function* readSitemap(url: string, options: SitemapOptions): AsyncGenerator<SitemapRead> {
  yield* readAnswer(url, await fetchSitemap(url, options), options);
}

async function* readAnswer(
  url: string,
  page: FetchedPage,
  { deadline, maxBytes = MAX_BYTES }: SitemapOptions,
): AsyncGenerator<SitemapRead> {
  if (page.status < 200 || page.status > 299) {
    yield { entries: [], sitemaps: [], dropped: 0, sitemap: url, problem: `${url} responded with ${page.status}.` };
    return;
  }
  const parser = new SitemapParser(page.url);
  let problem: string | undefined;
  try {
    for await (const text of sitemapText(page, maxBytes)) {
      if (!parser.write(text)) {
        problem = `${url} is not a sitemap.`;
        break;
      }
      if (parser.size >= BATCH) yield { ...parser.take(), sitemap: url };
      await nextTurn();
      deadline.check();
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    problem = `${url} was not read to its end: ${error.message}.`;
  }
  parser.end(problem === undefined);
  yield { ...parser.take(), sitemap: url, ...(problem === undefined ? {} : { problem }) };
}

/**
 * The addresses of these sitemaps and of all that they name, each sitemap once, in this order. Some are fetched ahead.
 * A sitemap that cannot be fetched is a problem in its own batch; the others are read.
 * @throws the deadline's reason
 */
export async function* readSitemaps(urls: readonly string[], options: SitemapOptions): AsyncGenerator<SitemapRead> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.deadline.signal, stopped.signal]);
  // Ends with the caller's deadline, and with its reason.
  using deadline = new Deadline(LONGEST_TIMER, signal);
  const known = new Set(urls.slice(0, MAX_FILES));
  const waiting = [...known];
  const ahead: { url: string; fetched: Promise<Fetched> }[] = [];
  try {
    for (;;) {
      for (const url of waiting.splice(0, AT_ONCE - ahead.length))
        ahead.push({ url, fetched: outcomeOf(fetchSitemap(url, { ...options, deadline })) });
      const next = ahead.shift();
      if (next === undefined) return;
      for await (const batch of readFetched(next.url, await next.fetched, options)) {
        for (const sitemap of batch.sitemaps) {
          if (known.size >= MAX_FILES || known.has(sitemap)) continue;
          known.add(sitemap);
          waiting.push(sitemap);
        }
        yield batch;
      }
    }
  } finally {
    // The reader may stop early.
    stopped.abort();
  }
}

/** The maximum of `setTimeout`, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

type Fetched = { page: FetchedPage } | { error: unknown };

/** Waits for a page without ever rejecting: it may fail before any caller awaits it. */
function outcomeOf(page: Promise<FetchedPage>): Promise<Fetched> {
  return page.then(
    (page) => ({ page }),
    (error: unknown) => ({ error }),
  );
}

async function* readFetched(url: string, fetched: Fetched, options: SitemapOptions): AsyncGenerator<SitemapRead> {
  if ('page' in fetched) {
    yield* readAnswer(url, fetched.page, options);
    return;
  }
  options.deadline.check();
  const { error } = fetched;
  if (!(error instanceof TrawlError) || error.code === 'SHUTTING_DOWN') throw error;
  yield { entries: [], sitemaps: [], dropped: 0, sitemap: url, problem: `${url}: ${error.message}` };
}

/**
 * The addresses in a site's sitemaps. The sitemaps are those in its robots.txt; if there are none, or none of them contains an
 * address, it is the first one at a usual place that does.
 * @param named the `Sitemap` lines of its robots.txt
 * @throws the deadline's reason
 */
export async function* readSiteSitemaps(
  site: URL,
  named: readonly string[],
  options: SitemapOptions,
): AsyncGenerator<SitemapRead> {
  const urls = named.map((line) => resolveAddress(line, site.href)).filter((url) => url !== undefined);
  let found = false;
  for await (const batch of readSitemaps(urls, options)) {
    found ||= batch.entries.length > 0;
    yield batch;
  }
  const places = USUAL_PLACES.map((place) => new URL(place, site).href).filter((place) => !urls.includes(place));
  for (const place of places) {
    if (found) return;
    for await (const batch of readSitemaps([place], options)) {
      found ||= batch.entries.length > 0 || batch.sitemaps.length > 0;
      if (found) yield batch;
    }
  }
}

async function fetchSitemap(url: string, { fetcher, deadline, share }: SitemapOptions): Promise<FetchedPage> {
  using fetching = new Deadline(FETCH_MS, deadline.signal);
  try {
    return await fetcher.fetch({
      url,
      headers: { accept: 'application/xml,text/xml,text/plain;q=0.9,*/*;q=0.8' },
      mobile: false,
      languages: [],
      verifyTls: false,
      proxy: 'auto',
      deadline: fetching,
      share,
    });
  } catch (error) {
    if (deadline.signal.aborted || !fetching.signal.aborted) throw error;
    throw new TrawlError('SCRAPE_TIMEOUT', `${url} did not arrive within ${FETCH_MS / 1000} s.`);
  }
}
