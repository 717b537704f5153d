import { portableHeaders } from '../fetch/request-headers.ts';
import type { CrawlScope } from '../site/scope.ts';

export type Headers = Readonly<Record<string, string>>;

/** The facts about a crawl that decide about headers. */
interface HeaderRules {
  scope: CrawlScope;
  options: { url: string };
  page: { headers: Headers };
}

/**
 * The caller's headers can hold passwords. They are meant for the site, and must not be sent in the clear when it has
 * TLS.
 */
export function headersFor(crawl: HeaderRules, url: URL): Headers {
  const { headers } = crawl.page;
  const isDowngrade = url.protocol === 'http:' && crawl.options.url.startsWith('https:');
  return isDowngrade || !crawl.scope.isOnSite(url) ? portableHeaders(headers) : headers;
}
