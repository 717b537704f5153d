import type { DiscoveredLink } from '../content/page-content.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { discoverPage, type PageSources } from '../pages/discover-page.ts';
import type { ScrapeRequest } from '../pages/request.ts';
import { ROBOTS_AGENT } from '../site/polite-fetcher.ts';
import type { MapRequest } from './request.ts';
import type { About } from './site-links.ts';

/** A cached copy may be this old: the links of a home page change by the hour. */
const MAX_AGE_MS = 3_600_000;

/** The page that a map starts from. */
export interface StartPage {
  /** After redirects. */
  url: URL;
  about: About;
  /** None for a page with an error status: its links say nothing about the site. */
  links: readonly DiscoveredLink[];
  /** Whether the site responded with success. */
  isThere: boolean;
  warning?: string | undefined;
}

/** The start page, or why there is none: the site may still have sitemaps. */
export type Start = { page: StartPage } | { failure: TrawlError };

/**
 * Reads the start page in at most half of the remaining time, so that a slow page leaves some for the sitemaps. Throws
 * errors that are not the page's fault: a forbidden target, a cancelled call.
 */
export async function readStart(sources: PageSources, request: MapRequest, deadline: Deadline): Promise<Start> {
  using half = new Deadline(Math.ceil(deadline.remaining / 2), deadline.signal);
  try {
    return { page: await readPage(sources, request, half) };
  } catch (error) {
    deadline.check();
    if (!(error instanceof TrawlError) || !isOfThePage(error)) throw error;
    return { failure: error };
  }
}

function isOfThePage({ code }: TrawlError): boolean {
  return code.startsWith('SCRAPE_') && code !== 'SCRAPE_BLOCKED_TARGET';
}

async function readPage(sources: PageSources, request: MapRequest, deadline: Deadline): Promise<StartPage> {
  const { document, discovered } = await discoverPage(sources, toScrape(request), deadline);
  const { url, title, description, statusCode, error } = document.metadata;
  const isThere = statusCode < 400;
  const failed = isThere ? undefined : `${url} responded with ${statusCode} ${error}: its links were not read.`;
  return {
    url: new URL(url),
    about: { ...(title ? { title } : {}), ...(description ? { description } : {}) },
    links: isThere ? (discovered?.links ?? []) : [],
    isThere,
    warning: [failed, document.warning].filter((text) => text !== undefined).join(' ') || undefined,
  };
}

/** The default options of a scrape, so that the map and the scrape of a page share one cached copy. */
function toScrape({ url, ignoreCache, timeout, location, threatProtection }: MapRequest): ScrapeRequest {
  return {
    url,
    formats: [],
    attributes: [],
    onlyMainContent: false,
    onlyCleanContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
    headers: {},
    mobile: false,
    location,
    verifyTls: false,
    proxy: 'auto',
    timeout,
    maxAge: ignoreCache ? 0 : MAX_AGE_MS,
    minAge: undefined,
    waitFor: 0,
    actions: [],
    screenshot: undefined,
    storeInCache: true,
    lockdown: false,
    zeroDataRetention: false,
    redactPII: undefined,
    threatProtection,
    discover: { agent: ROBOTS_AGENT },
  };
}
