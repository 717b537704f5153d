import { newId, now } from '../clock.ts';
import { resolveAddress } from '../content/address.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { isRetryable } from '../jobs/retry.ts';
import type { JobTask, TaskOutcome } from '../jobs/task.ts';
import type { PageServices } from '../pages/page-services.ts';
import { PaceUnknown, RobotsBlocked } from '../site/polite-fetcher.ts';
import { readSitemap, USUAL_PLACES } from '../site/sitemaps.ts';
import type { NewTask, RefusedTask } from '../store/operations/jobs/add-tasks.ts';
import { politely, rulesOf } from './crawl-page.ts';
import type { KnownCrawl } from './known-crawls.ts';
import { sortFound } from './sort-found.ts';

/** For one sitemap of 50 MB: parsing takes some seconds, and the site may be slow. */
const SITEMAP_MS = 5 * 60_000;
/** An index may name further indexes, but not deeper than this. */
const MAX_LEVELS = 3;

/**
 * Adds the pages of one sitemap to a crawl while reading it, and the sitemaps that it names. After a failure, the next
 * try adds what is missing. Throws TrawlError when nothing could be read, and QUEUE_FULL when it should be called again
 * later.
 */
export async function crawlSitemap(
  services: PageServices,
  crawl: KnownCrawl,
  page: JobTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  using deadline = new Deadline(SITEMAP_MS, signal);
  const reading = new SitemapReading(services, crawl, page, deadline);
  try {
    if (page.depth === 0) await reading.readSite();
    else await reading.read(page.payload);
    return { type: 'helped' };
  } catch (error) {
    if (error instanceof RobotsBlocked) return { type: 'blocked' };
    if (error instanceof PaceUnknown) return { type: 'slow down', ...error.pace };
    throw error;
  }
}

class SitemapReading {
  readonly #services: PageServices;
  readonly #crawl: KnownCrawl;
  readonly #page: JobTask;
  readonly #deadline: Deadline;

  constructor(services: PageServices, crawl: KnownCrawl, page: JobTask, deadline: Deadline) {
    this.#services = services;
    this.#crawl = crawl;
    this.#page = page;
    this.#deadline = deadline;
  }

  /** The sitemaps in robots.txt; if it has none, the first that exists at a usual place. */
  async readSite(): Promise<void> {
    const site = new URL(this.#page.payload);
    const { robots } = await this.#services.robots.get(site, this.#deadline.signal);
    const named = robots.sitemaps.map((line) => resolveAddress(line, site.href)).filter((url) => url !== undefined);
    if (named.length > 0) {
      await this.#add(this.#sitemaps(named), []);
      return;
    }
    for (const place of USUAL_PLACES) {
      if (await this.#readIfThere(new URL(place, site).href)) return;
    }
    if (this.#crawl.options.sitemap !== 'only') return;
    throw new TrawlError(
      'CRAWL_NO_SITEMAP',
      `${site.origin} has no sitemap: its robots.txt names none, and there is none at ${USUAL_PLACES.join(', ')}. Without "sitemap": "only", the crawl follows its links.`,
    );
  }

  /** Throws when nothing could be read; otherwise reports what is missing. */
  async read(url: string): Promise<void> {
    const { isAny, problem } = await this.#readOne(url);
    if (problem === undefined) return;
    const error = new TrawlError('CRAWL_BAD_SITEMAP', problem);
    if (!isAny) throw error;
    const { code, message } = error;
    await this.#add([], [{ key: `problem ${this.#page.key}`, payload: url, tryId: newId(), error: { code, message } }]);
  }

  async #readIfThere(url: string): Promise<boolean> {
    try {
      return (await this.#readOne(url)).isAny;
    } catch (error) {
      // The sitemap may still exist, and its pages would be missing silently.
      if (isRetryable(error)) throw error;
      // Only a guess: most sites have no sitemap at this path.
      if (error instanceof TrawlError && error.code.startsWith('SCRAPE_')) return false;
      if (error instanceof RobotsBlocked) return false;
      throw error;
    }
  }

  async #readOne(url: string): Promise<{ isAny: boolean; problem: string | undefined }> {
    const crawl = this.#crawl;
    const site = new URL(crawl.options.url);
    const rules = await rulesOf(this.#services, crawl, site, this.#deadline.signal);
    const place = { depth: 0, origin: site.origin, rules, onExternalPage: false };
    const of = { store: this.#services.store, job: this.#page.job, crawl, deadline: this.#deadline };
    const fetcher = politely(this.#services, crawl, this.#page);
    let isAny = false;
    let problem: string | undefined;
    for await (const batch of readSitemap(url, { fetcher, deadline: this.#deadline, share: this.#page.job.teamId })) {
      isAny ||= batch.entries.length > 0 || batch.sitemaps.length > 0;
      ({ problem } = batch);
      // A sitemap speaks for its own site: pages of other sites come from links on pages.
      const urls = batch.entries.map((entry) => entry.url).filter((entry) => crawl.scope.isOnSite(new URL(entry)));
      const { found, refused } = await sortFound(of, urls, place);
      if (!(await this.#add([...found, ...this.#sitemaps(batch.sitemaps)], refused))) break;
    }
    return { isAny, problem };
  }

  #sitemaps(urls: readonly string[]): NewTask[] {
    const depth = this.#page.depth + 1;
    if (depth > MAX_LEVELS) return [];
    return urls.map((address) => {
      const url = new URL(address);
      const key = `sitemap ${this.#crawl.keyOf(url)}`;
      return { role: 'helper', key, payload: url.href, host: url.host, depth };
    });
  }

  /**
   * Returns whether there is room for more. Throws QUEUE_FULL when there will be room later: the sitemap is then read
   * again.
   */
  async #add(found: readonly NewTask[], refused: readonly RefusedTask[]): Promise<boolean> {
    const { teamId, team, job } = this.#page.job;
    const room = await this.#services.store.jobs.addFound({ teamId, team, job, found, refused, at: now() });
    if (room === 'queue full') throw new TrawlError('QUEUE_FULL', 'The plan allows no more waiting pages.');
    return room === 'some';
  }
}
