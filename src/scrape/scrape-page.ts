import { STATUS_CODES } from 'node:http';
import { isoTime } from '../clock.ts';
import type { PageContent } from '../content/page-content.ts';
import type { Deadline } from '../deadline.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import type { ScrapedDocument, ScrapedPage } from './document.ts';
import { preferredLanguages } from './languages.ts';
import { ownTurn } from './own-turn.ts';
import type { PageCache } from './page-cache.ts';
import type { ReadDocument } from './page-workers/page-workers.ts';
import { unsupportedFile } from './read-document.ts';
import type { ScrapeRequest } from './request.ts';
import { robotsTag } from './robots-tag.ts';
import { parseTarget, withScheme } from './target.ts';
import { checkThreatPolicy } from './threat-protection.ts';

export interface PageSources {
  fetcher: Fetcher;
  /** Undefined where nothing is kept, as on the command line. */
  cache: PageCache | undefined;
  /** Where pages are read: in this thread or in others. */
  read: ReadDocument;
  /** Waits for the turn of the next step: those of jobs go after those that somebody waits for. */
  turn?: () => Promise<void>;
}

/** What the answer tells of the scrape, beside the page. */
export interface ScrapeTold {
  id: string;
  credits: number;
}

/** The scrape itself, with no team and no record of it: target, cache or web, content, redaction. */
export async function scrapePage(
  { fetcher, cache, read, turn = ownTurn }: PageSources,
  request: ScrapeRequest,
  told: ScrapeTold,
  deadline: Deadline,
): Promise<ScrapedPage> {
  const target = parseTarget(request.url);
  const policyWarning = checkThreatPolicy(target, request.threatProtection);

  const copy = await cache?.find(target, request);
  deadline.check();
  const page = copy?.page ?? (await fetchPage(fetcher, target, request, deadline));
  await turn();
  checkThreatPolicy(new URL(page.url), request.threatProtection);
  // Written while the content is read: the two have nothing to wait for in each other.
  const stored = copy === undefined ? cache?.keep(target, request, page) : undefined;
  const [content] = await Promise.all([readContent(read, page, request, deadline), stored]);
  await turn();
  deadline.check();

  const { metadata, discovered, ...formats } = content;
  const document: ScrapedDocument = {
    ...formats,
    metadata: {
      ...metadata,
      sourceURL: withScheme(request.url),
      url: page.url,
      statusCode: page.status,
      contentType: page.contentType,
      scrapeId: told.id,
      proxyUsed: page.proxyUsed,
      cacheState: copy === undefined ? 'miss' : 'hit',
      creditsUsed: told.credits,
    },
  };
  if (copy !== undefined) document.metadata.cachedAt = isoTime(copy.storedAt);
  if (page.status >= 400) document.metadata.error = STATUS_CODES[page.status] ?? `Status ${page.status}`;
  if (request.formats.includes('rawHtml') && page.text !== undefined) document.rawHtml = page.text;
  const cutWarning = page.incomplete ? 'The connection ended before the page did: its end is missing.' : undefined;
  const warnings = [cutWarning, content.warning, policyWarning, request.redactPII?.warning].filter(
    (text) => text !== undefined,
  );
  if (warnings.length > 0) document.warning = warnings.join(' ');
  if (discovered === undefined || request.discover === undefined) return { document };
  // What the page says of itself it can also say before it begins.
  const tag = robotsTag(page.headers['x-robots-tag'], request.discover.agent);
  const { noindex, nofollow } = discovered;
  return {
    document,
    discovered: { ...discovered, noindex: noindex || tag.noindex, nofollow: nofollow || tag.nofollow },
  };
}

async function readContent(
  read: ReadDocument,
  { text, url, contentType, headers }: FetchedPage,
  request: ScrapeRequest,
  deadline: Deadline,
): Promise<PageContent> {
  if (text === undefined) throw unsupportedFile(contentType);
  return read({ text, url, contentType, contentLanguage: headers['content-language'] }, request, deadline.signal);
}

function fetchPage(fetcher: Fetcher, target: URL, request: ScrapeRequest, deadline: Deadline): Promise<FetchedPage> {
  return fetcher.fetch({
    url: target.href,
    headers: request.headers,
    mobile: request.mobile,
    languages: preferredLanguages(request.location),
    verifyTls: request.verifyTls,
    proxy: request.proxy,
    deadline,
  });
}
