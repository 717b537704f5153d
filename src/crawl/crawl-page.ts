import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { JobTask, TaskOutcome } from '../jobs/task.ts';
import { missCharge, pageCharge } from '../pages/page-charge.ts';
import type { PageServices } from '../pages/page-services.ts';
import { scrapeJobPage } from '../pages/scrape-job-page.ts';
import { PaceUnknown, politeFetcher, RobotsBlocked } from '../site/polite-fetcher.ts';
import type { OutOfScope } from '../site/scope.ts';
import type { TaskAddress } from '../store/operations/jobs/end-task.ts';
import { headersFor } from './headers-for.ts';
import type { KnownCrawl } from './known-crawls.ts';
import { sortFound } from './sort-found.ts';

/**
 * Scrapes one page of a crawl and finds its links. The charge is written with the result, in one transaction with the
 * links. Throws TrawlError when the page has no result.
 */
export async function crawlPage(
  services: PageServices,
  crawl: KnownCrawl,
  page: JobTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { store, prices } = services;
  const { job, tryId: scrapeId } = page;
  using deadline = new Deadline(crawl.page.timeout, signal);
  const fetcher = politely(services, crawl, page);
  const request = {
    ...crawl.page,
    url: page.payload,
    headers: headersFor(crawl, new URL(page.payload)),
    discover: { agent: crawl.options.robotsUserAgent },
  };
  try {
    const start = { request, scrapeId, job, prices: crawl.prices, fetcher, publicAddress: crawl.publicAddress };
    const { url, status, document, copy, pageLinks, costs } = await scrapeJobPage(services, start, deadline);
    const landed = new URL(url);
    const place = requireInScope(crawl, page, landed);
    const rules = await rulesOf(services, crawl, landed, deadline.signal);
    // The links of an error page are not followed: a site that makes them up may have no end.
    const isFollowed = status < 400 && crawl.options.sitemap !== 'only';
    const sorted = await sortFound({ store, job, crawl, deadline }, isFollowed ? (pageLinks?.links ?? []) : [], {
      depth: page.depth + 1,
      origin: landed.origin,
      rules,
      onExternalPage: place === 'external',
    });
    return {
      type: 'done',
      document,
      copy,
      charge: pageCharge(page, 'crawl', costs),
      address: addressOf(crawl, landed, pageLinks?.canonical),
      pace: fetcher.learnedPace,
      ...sorted,
    };
  } catch (error) {
    if (error instanceof RobotsBlocked) return { type: 'blocked' };
    if (error instanceof PaceUnknown) return { type: 'slow down', ...error.pace };
    if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_LOCKDOWN_CACHE_MISS') throw error;
    // A cache lookup was all that the page allowed.
    return { type: 'failed', error, charge: missCharge(page, 'crawl', await prices()) };
  }
}

/** The fetcher that keeps to the pace and the rules of the site. */
export function politely({ fetcher, robots }: PageServices, { options }: KnownCrawl, page: JobTask) {
  const { ignoreRobotsTxt, robotsUserAgent } = options;
  return politeFetcher(fetcher, { robots: ignoreRobotsTxt ? undefined : robots, agent: robotsUserAgent, page });
}

/** The robots.txt rules of a site; null when they are ignored or unreachable. */
export async function rulesOf({ robots }: PageServices, { options }: KnownCrawl, url: URL, signal: AbortSignal) {
  if (options.ignoreRobotsTxt) return null;
  const site = await robots.get(url, signal);
  return site.unreachable === undefined ? site.robots.rulesFor(options.robotsUserAgent) : null;
}

/** The start address is crawled whatever the patterns say: the caller asked for it. */
const NO_MATTER_AT_START: ReadonlySet<OutOfScope> = new Set([
  'not below the start',
  'too deep a path',
  'too long for the patterns',
  'excluded path',
  'not an included path',
]);

function requireInScope(crawl: KnownCrawl, { payload: url, depth }: JobTask, landed: URL): 'site' | 'external' {
  const verdict = crawl.scope.decide({ url: landed, depth });
  const isStart = crawl.keyOf(new URL(url)) === crawl.startKey;
  if (verdict.admit) return verdict.external ? 'external' : 'site';
  if (isStart && NO_MATTER_AT_START.has(verdict.reason)) return 'site';
  const hint = isStart ? ' Start the crawl there.' : '';
  throw new TrawlError(
    'CRAWL_OUT_OF_SCOPE',
    `${url} redirects to ${landed.href}, which is out of the scope of this crawl: ${verdict.reason}.${hint}`,
  );
}

/**
 * The address that identifies a page: its address after redirects, or its canonical address within the crawl. If every
 * page names the home page as canonical, that is a mistake of the site, and ignored.
 */
function addressOf(crawl: KnownCrawl, landed: URL, canonical: string | undefined): TaskAddress {
  const own = canonical === undefined ? null : URL.parse(canonical);
  const verdict = own === null ? null : crawl.scope.decide({ url: own, depth: 0 });
  const isBelieved = verdict?.admit && !verdict.external && (own?.pathname !== '/' || landed.pathname === '/');
  const address = isBelieved && own !== null ? own : landed;
  return { key: crawl.keyOf(address), payload: address.href };
}
