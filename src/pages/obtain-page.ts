import type { FetchedPage } from '../fetch/types.ts';
import { routeOf } from '../site/addresses.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy, withPolicy } from '../site/threat-protection.ts';
import type { StoredDocument } from '../store/pages.ts';
import { climb } from './climb/climb.ts';
import type { ClimbContext } from './climb/take-rung.ts';
import { type PageCache, requireFetchable } from './page-cache.ts';
import type { ScrapeRequest } from './request.ts';
import type { PageSource } from './scrape-facts.ts';
import type { ShellPages } from './shell-pages.ts';
import type { Extras, PageStages, StageContext } from './stages.ts';

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

/** Gets the page of a request from the cache or the web, ready to be read. Throws TrawlError. */
export async function obtainPage(
  { fetcher, cache, shells }: PageOrigin & { shells: ShellPages | undefined },
  context: ClimbContext,
): Promise<ObtainedPage> {
  const { request, deadline } = context;
  const policyWarning = checkTarget(request);
  const copy = await cache?.find(request);
  if (copy === undefined) requireFetchable(request);
  deadline.check();
  const obtained = copy ?? (await fetchOrRender(fetcher, shells, context));
  checkLanded(obtained.page, request);
  return { storedAt: undefined, ...obtained, policyWarning };
}

/** The same, through the obtain stage that applies to the request if there is one. If the cache has the document, returns that. */
export async function obtainDocument(
  { fetcher, cache }: PageOrigin,
  { obtain: stages, shells }: Pick<PageStages, 'obtain' | 'shells'>,
  context: StageContext,
): Promise<(ObtainedPage | CachedPage) & Extras> {
  const { request, deadline } = context;
  const policyWarning = checkTarget(request);
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
  const obtained: FreshPage & Extras =
    stage === undefined
      ? await fetchOrRender(fetcher, shells, context)
      : { rendering: 'rendered', ...(await stage.obtain(withPolicy(fetcher, request.threatProtection), context)) };
  checkLanded(obtained.page, request);
  return { ...obtained, storedAt: undefined, policyWarning };
}

/** Returns the warning of the policy. */
function checkTarget({ url, threatProtection }: ScrapeRequest): string | undefined {
  return checkThreatPolicy(parseTarget(url), threatProtection);
}

/** A cached copy may come from a request without the policy. */
function checkLanded({ url }: Pick<FetchedPage, 'url'>, { threatProtection }: ScrapeRequest): void {
  checkThreatPolicy(new URL(url), threatProtection);
}

type FreshPage = Pick<ObtainedPage, 'page' | 'rendering' | 'steps'>;

/** Renders the page at once if it is expected to be an empty shell. */
async function fetchOrRender(
  fetcher: SiteFetcher,
  shells: ShellPages | undefined,
  context: ClimbContext,
): Promise<FreshPage> {
  const { request } = context;
  const rendering = shells?.expects(request) ? await shells.render(fetcher, context) : undefined;
  if (rendering !== undefined && 'page' in rendering) return { ...rendering, rendering: 'rendered' };
  const { page, rendered, steps } = await climb(withPolicy(fetcher, request.threatProtection), context);
  if (rendered !== undefined) return { page, steps, rendering: 'rendered' };
  return { page: withoutRoute(page), steps, ...(rendering !== undefined && { rendering }) };
}

/** A server does not see the route of an application: it gives the same page for all of them. */
function withoutRoute(page: FetchedPage): FetchedPage {
  const route = routeOf(new URL(page.url));
  return route === '' ? page : { ...page, url: page.url.slice(0, -route.length) };
}
