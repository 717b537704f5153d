import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { isLastTry, isSlowest, quicker } from '../jobs/retry.ts';
import type { JobTask, LearnedPace, RobotsPace } from '../jobs/task.ts';
import type { RobotsCache, SiteRobots } from './robots-cache.ts';

/** The name in robots.txt whose rules are ours. */
export const ROBOTS_AGENT = 'Trawl';
/** A site that wants to be left alone for longer between two pages is asked this often: a job has to come to an end. */
const MOST_DELAY_MS = 30_000;

/** Thrown in the place of a page that robots.txt keeps out. */
export class RobotsBlocked extends Error {
  override readonly name = 'RobotsBlocked';
}

/** Thrown when the site wants a slower pace than the page was claimed at. */
export class PaceUnknown extends Error {
  override readonly name = 'PaceUnknown';
  readonly pace: RobotsPace;

  constructor(pace: RobotsPace) {
    super(`The site wants ${pace.delay} ms between two pages.`);
    this.pace = pace;
  }
}

export interface Politeness {
  /** Undefined: robots.txt is not asked. */
  robots: RobotsCache | undefined;
  /** Whose rules of it hold. */
  agent: string;
  page: Pick<JobTask, 'hostDelay' | 'robotsDelay' | 'attempts'>;
}

export interface PoliteFetcher extends Fetcher {
  /** How much more quickly than until now the host may be asked, once it has given a page. */
  readonly learnedPace: LearnedPace | undefined;
}

/**
 * The way out for pages of jobs, which can wait and ask before they go. It stands around the fetcher and not before the
 * page, because what comes from the cache asks nothing of a site. An answer of 429 or 503 is no page but the wish to be
 * left alone: SCRAPE_HOST_BUSY, with the seconds of `Retry-After` where the host gives them. From a host that is asked as slowly
 * as can be, and not because its robots.txt says so, it is SCRAPE_HOST_DOWN: the job has to come to an end. Any other failure of the
 * server and a page without its end are what a scrape gives; a job asks again before it takes them.
 */
export function politeFetcher(
  fetcher: Fetcher,
  { robots, agent, page: { hostDelay, robotsDelay, attempts } }: Politeness,
): PoliteFetcher {
  let learnedPace: LearnedPace | undefined;
  return {
    async fetch(request) {
      const url = new URL(request.url);
      // A host that is refused is not asked for its robots.txt either.
      fetcher.check(url);
      const site = await robots?.get(url, request.deadline.signal);
      const wanted = site === undefined ? undefined : askFirst(site, agent, url, robotsDelay);
      const page = await fetcher.fetch(request);
      const isBusy = page.status === 429 || page.status === 503;
      if (isBusy && isSlowest(hostDelay) && hostDelay > robotsDelay) throw hostDown(page);
      if (isBusy) throw hostBusy(page);
      if (!isLastTry(attempts)) refuseForNow(page);
      if (wanted !== undefined && wanted.delay < robotsDelay) learnedPace = { type: 'robots', ...wanted };
      else if (hostDelay > 0) learnedPace = { type: 'bears', delay: quicker(hostDelay) };
      const landed = new URL(page.url);
      if (robots !== undefined && landed.href !== url.href) {
        askAfterwards(await robots.get(landed, request.deadline.signal), agent, landed);
      }
      return page;
    },
    get learnedPace() {
      return learnedPace;
    },
    check: (url) => fetcher.check(url),
    close: () => fetcher.close(),
  };
}

/** Returns the pace that the site wants; undefined when that cannot be known. */
function askFirst(
  { robots, unreachable, isNowhere }: SiteRobots,
  agent: string,
  url: URL,
  robotsDelay: number,
): RobotsPace | undefined {
  // The page says it better: no such host, check its spelling.
  if (isNowhere) return undefined;
  const rules = robots.rulesFor(agent);
  if (!rules.isAllowed(url)) {
    if (unreachable === undefined) throw new RobotsBlocked(url.href);
    // RFC 9309 section 2.3.1.4: what cannot be asked has to be taken for a no. But it is the site's failure, not its will.
    throw new TrawlError('SCRAPE_ROBOTS_UNREACHABLE', `${unreachable}. Set "ignoreRobotsTxt": true to go without it.`);
  }
  // In whole milliseconds, as it is stored: "Crawl-delay: 0.3333" is 334.
  const delay = Math.ceil(Math.min((rules.crawlDelay ?? 0) * 1000, MOST_DELAY_MS));
  const pace = { agent: rules.agent, delay };
  if (delay > robotsDelay) throw new PaceUnknown(pace);
  return pace;
}

function refuseForNow({ url, status, incomplete }: FetchedPage): void {
  const { host } = new URL(url);
  if (status >= 500) throw new TrawlError('SCRAPE_CONNECTION_ERROR', `${host} answered with ${status}.`);
  if (incomplete) {
    throw new TrawlError('SCRAPE_CONNECTION_ERROR', `${host} closed the connection before the end of the page.`);
  }
}

/** What was fetched was allowed; where it redirects to need not be. Known only now, so a site that fails is no reason. */
function askAfterwards({ robots, unreachable }: SiteRobots, agent: string, landed: URL): void {
  if (unreachable === undefined && !robots.rulesFor(agent).isAllowed(landed)) throw new RobotsBlocked(landed.href);
}

function hostBusy({ url, status, headers }: FetchedPage): TrawlError {
  const seconds = retryAfter(headers['retry-after']);
  return new TrawlError(
    'SCRAPE_HOST_BUSY',
    `${new URL(url).host} answered with ${status}: it takes no more requests for now.`,
    seconds === null ? {} : { headers: { 'retry-after': String(seconds) } },
  );
}

function hostDown({ url, status }: FetchedPage): TrawlError {
  const { host } = new URL(url);
  return new TrawlError(
    'SCRAPE_HOST_DOWN',
    `${host} answers with ${status} however slowly it is asked. Try again when it is well.`,
  );
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now()) / 1000));
}
