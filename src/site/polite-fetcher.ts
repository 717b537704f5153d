import { setTimeout as pauseFor } from 'node:timers/promises';
import { now } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { type ErrorCode, type ErrorOptions, TrawlError } from '../errors.ts';
import type { FetchedPage, FetchRequest } from '../fetch/types.ts';
import { isLastTry, isSlowest, quicker } from '../jobs/retry.ts';
import type { JobTask, LearnedPace, RobotsPace } from '../jobs/task.ts';
import type { RobotsCache, SiteRobots } from './robots-cache.ts';
import type { SiteFetcher } from './site-fetcher.ts';

/** Our user agent in robots.txt. */
export const ROBOTS_AGENT = 'Trawl';
/**
 * The longest pause between two pages. A site that wants a longer one is asked this often: a job has to come to an end.
 */
const MAX_DELAY_MS = 30_000;

/** Thrown instead of a page that robots.txt forbids. */
export class RobotsBlocked extends Error {
  override readonly name = 'RobotsBlocked';
}

/** Thrown when the site demands a slower pace than the page was claimed at. */
export class PaceUnknown extends Error {
  override readonly name = 'PaceUnknown';
  readonly pace: RobotsPace;

  constructor(pace: RobotsPace) {
    super(`The site wants ${pace.delay} ms between two pages.`);
    this.pace = pace;
  }
}

/** Thrown when the host answers 429 or 503. */
export class HostRefusal extends TrawlError {
  readonly page: FetchedPage;

  constructor(code: ErrorCode, message: string, page: FetchedPage, options: ErrorOptions = {}) {
    super(code, message, options);
    this.page = page;
  }
}

export interface Politeness {
  /** Undefined: robots.txt is ignored. */
  robots: RobotsCache | undefined;
  /** The user agent whose rules apply. */
  agent: string;
  page: Pick<JobTask, 'hostDelay' | 'robotsDelay' | 'attempts'>;
}

export interface PoliteFetcher extends SiteFetcher {
  /** How much more quickly the host can be asked once it has delivered a page. */
  readonly learnedPace: LearnedPace | undefined;
}

/**
 * The fetcher for pages of jobs, which check robots.txt and wait before a request. It wraps the fetcher and not the
 * page, because a page from the cache needs nothing from a site. A 429 or 503 is not a page but the demand for a pause:
 * SCRAPE_HOST_BUSY, with the seconds of `Retry-After` if the host sends them. If the host was asked at the slowest
 * pace, and not because of its robots.txt, it is SCRAPE_HOST_DOWN: the job has to come to an end. Other server errors
 * and truncated pages are results for a scrape; a job retries before it accepts them.
 */
export function politeFetcher(
  fetcher: SiteFetcher,
  { robots, agent, page: { hostDelay, robotsDelay, attempts } }: Politeness,
): PoliteFetcher {
  let learnedPace: LearnedPace | undefined;
  let isFurther = false;
  /** @param get fetches or renders the page, or gives nothing because it cannot */
  async function politely<Request extends Pick<FetchRequest, 'url' | 'deadline'>, Page extends FetchedPage | undefined>(
    get: (request: Request) => Promise<Page>,
    request: Request,
  ): Promise<Page> {
    const url = new URL(request.url);
    // The robots.txt of a refused host is not fetched either.
    fetcher.check(url);
    const site = await robots?.get(url, request.deadline.signal);
    const wanted = site === undefined ? undefined : askFirst(site, agent, url, robotsDelay);
    if (isFurther) await pause(Math.max(hostDelay, robotsDelay), request.deadline);
    isFurther = true;
    const page = await get(request);
    if (page === undefined) return page;
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
  }
  return {
    fetch: (request) => politely((one) => fetcher.fetch(one), request),
    impersonate: (request) => politely((one) => fetcher.impersonate(one), request),
    render: (request) => politely((one) => fetcher.render(one), request),
    hasEnhanced: fetcher.hasEnhanced,
    knownHosts: fetcher.knownHosts,
    get learnedPace() {
      return learnedPace;
    },
    check: (url) => fetcher.check(url),
    close: () => fetcher.close(),
  };
}

/** The pause before a further request for the same page. It leaves half of the time: the page is not tried in vain each time. */
async function pause(ms: number, { remaining, signal }: Deadline): Promise<void> {
  if (ms > 0) await pauseFor(Math.min(ms, remaining / 2), undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Returns the pace that the site demands; undefined when it is unknown. */
function askFirst(
  { robots, unreachable, isNowhere }: SiteRobots,
  agent: string,
  url: URL,
  robotsDelay: number,
): RobotsPace | undefined {
  // The error of the page explains it better: no such host, check its spelling.
  if (isNowhere) return undefined;
  const rules = robots.rulesFor(agent);
  if (!rules.isAllowed(url)) {
    if (unreachable === undefined) throw new RobotsBlocked(url.href);
    // RFC 9309 section 2.3.1.4: an unreachable robots.txt means that everything is forbidden. But that is the site's
    // failure, not its decision.
    throw new TrawlError(
      'SCRAPE_ROBOTS_UNREACHABLE',
      `${unreachable}. Set "ignoreRobotsTxt": true to scrape without it.`,
    );
  }
  // In whole milliseconds, as stored: "Crawl-delay: 0.3333" is 334.
  const delay = Math.ceil(Math.min((rules.crawlDelay ?? 0) * 1000, MAX_DELAY_MS));
  const pace = { agent: rules.agent, delay };
  if (delay > robotsDelay) throw new PaceUnknown(pace);
  return pace;
}

function refuseForNow({ url, status, incomplete }: FetchedPage): void {
  const { host } = new URL(url);
  if (status >= 500) throw new TrawlError('SCRAPE_CONNECTION_ERROR', `${host} responded with ${status}.`);
  if (incomplete) {
    throw new TrawlError('SCRAPE_CONNECTION_ERROR', `${host} closed the connection before the end of the page.`);
  }
}

/**
 * The fetched address was allowed; the redirect's target need not be. It is known only now, so an unreachable
 * robots.txt is ignored.
 */
function askAfterwards({ robots, unreachable }: SiteRobots, agent: string, landed: URL): void {
  if (unreachable === undefined && !robots.rulesFor(agent).isAllowed(landed)) throw new RobotsBlocked(landed.href);
}

function hostBusy(page: FetchedPage): HostRefusal {
  const { url, status, headers } = page;
  const seconds = retryAfter(headers['retry-after']);
  return new HostRefusal(
    'SCRAPE_HOST_BUSY',
    `${new URL(url).host} responded with ${status}: it accepts no more requests for now.`,
    page,
    seconds === null ? {} : { headers: { 'retry-after': String(seconds) } },
  );
}

function hostDown(page: FetchedPage): HostRefusal {
  const { host } = new URL(page.url);
  return new HostRefusal(
    'SCRAPE_HOST_DOWN',
    `${host} responds with ${page.status} even to very few requests. Try again when it has recovered.`,
    page,
  );
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now()) / 1000));
}
