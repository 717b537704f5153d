import { setImmediate as nextTurn } from 'node:timers/promises';
import { resolveAddress } from '../content/address.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { type SitemapBatch, SitemapParser } from './sitemap-parser.ts';
import { CutOff, sitemapText } from './sitemap-text.ts';

/** sitemaps.org: a sitemap must be no larger than 50 MB, unpacked. */
const MAX_BYTES = 52_428_800;
/** For the largest one less than a megabyte a second. A site that says nothing must not hold up a crawl for longer. */
const FETCH_MS = 60_000;
/** So many entries are handed on at a time. */
const BATCH = 1_000;
/** A newspaper of a hundred years has some thousand, one for each week or month. */
const MAX_FILES = 5_000;

/** Where sites have their sitemap when their robots.txt names none, the most frequent first. */
export const USUAL_PLACES = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
];

export interface SitemapRead extends SitemapBatch {
  /** The sitemap that this is from. */
  sitemap: string;
  /** Why there is no more of it, in a sentence, when it could not be read to its end. */
  problem?: string;
}

export interface SitemapOptions {
  fetcher: Fetcher;
  deadline: Deadline;
  /** Of one sitemap, unpacked. */
  maxBytes?: number;
}

/**
 * The addresses of one sitemap, in batches. Nothing it holds, and no answer of the site, is an error: the last batch
 * says what the problem was. Memory is that of the answer and one batch.
 * @throws TrawlError when the address may not be fetched at all, or the deadline's reason
 */
export async function* readSitemap(url: string, options: SitemapOptions): AsyncGenerator<SitemapRead> {
  const { fetcher, deadline, maxBytes = MAX_BYTES } = options;
  const page = await fetchSitemap(fetcher, url, deadline);
  if (page.status < 200 || page.status > 299) {
    yield { entries: [], sitemaps: [], dropped: 0, sitemap: url, problem: `${url} answered ${page.status}.` };
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
    problem = `The end of ${url} is missing: ${error.message}.`;
  }
  parser.end(problem === undefined);
  yield { ...parser.take(), sitemap: url, ...(problem === undefined ? {} : { problem }) };
}

/**
 * The addresses of these sitemaps and of all that they name, each sitemap once. One that cannot be had is a problem of
 * its own batch; the others are read.
 * @throws the deadline's reason
 */
export async function* readSitemaps(urls: readonly string[], options: SitemapOptions): AsyncGenerator<SitemapRead> {
  // A set is read in the order in which it was filled, also while it grows.
  const known = new Set(urls.slice(0, MAX_FILES));
  for (const url of known) {
    try {
      for await (const batch of readSitemap(url, options)) {
        for (const sitemap of batch.sitemaps) if (known.size < MAX_FILES) known.add(sitemap);
        yield batch;
      }
    } catch (error) {
      options.deadline.check();
      if (!(error instanceof TrawlError) || error.code === 'SHUTTING_DOWN') throw error;
      yield { entries: [], sitemaps: [], dropped: 0, sitemap: url, problem: `${url}: ${error.message}` };
    }
  }
}

/**
 * The addresses of a site's sitemaps: those that its robots.txt names; where it names none, those of the first usual
 * place that has one.
 * @param named the `Sitemap` lines of its robots.txt
 * @throws the deadline's reason
 */
export async function* readSiteSitemaps(
  site: URL,
  named: readonly string[],
  options: SitemapOptions,
): AsyncGenerator<SitemapRead> {
  const urls = named.map((line) => resolveAddress(line, site.href)).filter((url) => url !== undefined);
  if (urls.length > 0) {
    yield* readSitemaps(urls, options);
    return;
  }
  for (const place of USUAL_PLACES) {
    let found = false;
    for await (const batch of readSitemaps([new URL(place, site).href], options)) {
      found ||= batch.entries.length > 0 || batch.sitemaps.length > 0;
      if (found) yield batch;
    }
    if (found) return;
  }
}

async function fetchSitemap(fetcher: Fetcher, url: string, deadline: Deadline): Promise<FetchedPage> {
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
    });
  } catch (error) {
    if (deadline.signal.aborted || !fetching.signal.aborted) throw error;
    throw new TrawlError('SCRAPE_TIMEOUT', `${url} did not come within ${FETCH_MS / 1000} s.`);
  }
}
