import type { FetchedPage } from '../fetch/types.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy, withPolicy } from '../site/threat-protection.ts';
import type { StoredDocument } from '../store/pages.ts';
import { preferredLanguages } from './languages.ts';
import { type PageCache, requireFetchable } from './page-cache.ts';
import type { ScrapeRequest } from './request.ts';
import type { PageSource } from './scrape-facts.ts';
import type { Extras, ObtainStage, StageContext } from './stages.ts';

export interface PageOrigin {
  fetcher: SiteFetcher;
  /** Undefined where nothing is cached, as on the command line. */
  cache: PageCache | undefined;
}

/** A page before it is read. Plain data: it can cross to a worker thread. */
export interface ObtainedPage extends PageSource {
  page: FetchedPage;
}

/** A page that need not be read again: the cache has its document. */
export interface CachedPage extends PageSource {
  known: StoredDocument;
}

/** What fetching a page needs. */
type FetchContext = Pick<StageContext, 'request' | 'deadline' | 'share'>;

/** Gets the page of a request from the cache or the web, ready to be read. Throws TrawlError. */
export async function obtainPage({ fetcher, cache }: PageOrigin, context: FetchContext): Promise<ObtainedPage> {
  const { request, deadline } = context;
  const { target, policyWarning } = checkTarget(request);
  const copy = await cache?.find(request);
  if (copy === undefined) requireFetchable(request);
  deadline.check();
  const page = copy?.page ?? (await fetchPage(fetcher, target, context));
  checkLanded(page, request);
  return { page, storedAt: copy?.storedAt, policyWarning };
}

/** The same, through the obtain stage that applies to the request if there is one. If the cache has the document, returns that. */
export async function obtainDocument(
  { fetcher, cache }: PageOrigin,
  stages: readonly ObtainStage[],
  context: StageContext,
): Promise<(ObtainedPage | CachedPage) & Extras> {
  const { request, deadline } = context;
  const { target, policyWarning } = checkTarget(request);
  const found = await cache?.findDocument(request);
  if (found === undefined) requireFetchable(request);
  deadline.check();
  if (found !== undefined) {
    checkLanded(found.page, request);
    const { storedAt } = found;
    if ('document' in found) return { page: found.page, storedAt, policyWarning, known: found };
    return { page: found.page, storedAt, policyWarning };
  }
  const stage = stages.find((each) => each.isFor(request));
  const obtained: { page: FetchedPage } & Extras =
    stage === undefined
      ? { page: await fetchPage(fetcher, target, context) }
      : await stage.obtain(withPolicy(fetcher, request.threatProtection), context);
  checkLanded(obtained.page, request);
  return { ...obtained, storedAt: undefined, policyWarning };
}

function checkTarget({ url, threatProtection }: ScrapeRequest) {
  const target = parseTarget(url);
  return { target, policyWarning: checkThreatPolicy(target, threatProtection) };
}

/** A cached copy may come from a request without the policy. */
function checkLanded({ url }: Pick<FetchedPage, 'url'>, { threatProtection }: ScrapeRequest): void {
  checkThreatPolicy(new URL(url), threatProtection);
}

function fetchPage(
  fetcher: SiteFetcher,
  target: URL,
  { request, deadline, share }: FetchContext,
): Promise<FetchedPage> {
  return withPolicy(fetcher, request.threatProtection).fetch({
    url: target.href,
    headers: request.headers,
    mobile: request.mobile,
    languages: preferredLanguages(request.location),
    verifyTls: request.verifyTls,
    proxy: request.proxy,
    deadline,
    share,
  });
}
