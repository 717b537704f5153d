import type { Deadline } from '../deadline.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy, withPolicy } from '../site/threat-protection.ts';
import { preferredLanguages } from './languages.ts';
import { type PageCache, requireFetchable } from './page-cache.ts';
import type { ScrapeRequest } from './request.ts';

export interface PageOrigin {
  fetcher: Fetcher;
  /** Undefined where nothing is kept, as on the command line. */
  cache: PageCache | undefined;
  /** For whom: the id of the team. See `FetchRequest`. */
  share: string;
}

/** A page before it is read. Plain data: it can cross to a worker thread. */
export interface ObtainedPage {
  page: FetchedPage;
  /** When the copy that it is was stored, in milliseconds since the epoch; of a page from the web undefined. */
  storedAt: number | undefined;
  /** What the threat policy has to say. */
  policyWarning: string | undefined;
}

/** The page of a request, from the cache or the web. Throws TrawlError. */
export async function obtainPage(
  { fetcher, cache, share }: PageOrigin,
  request: ScrapeRequest,
  deadline: Deadline,
): Promise<ObtainedPage> {
  const target = parseTarget(request.url);
  const policyWarning = checkThreatPolicy(target, request.threatProtection);

  const copy = await cache?.find(request);
  if (copy === undefined) requireFetchable(request);
  deadline.check();
  const policed = withPolicy(fetcher, request.threatProtection);
  const page = copy?.page ?? (await fetchPage({ fetcher: policed, share }, target, request, deadline));
  // A copy may be from a request without the policy.
  checkThreatPolicy(new URL(page.url), request.threatProtection);
  return { page, storedAt: copy?.storedAt, policyWarning };
}

function fetchPage(
  { fetcher, share }: Pick<PageOrigin, 'fetcher' | 'share'>,
  target: URL,
  request: ScrapeRequest,
  deadline: Deadline,
): Promise<FetchedPage> {
  return fetcher.fetch({
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
