import { portableHeaders } from '../fetch/request-headers.ts';
import type { CrawlScope } from '../site/scope.ts';

export type Headers = Readonly<Record<string, string>>;

/** What of a crawl decides about headers. */
interface HeaderRules {
  scope: CrawlScope;
  options: { url: string };
  page: { headers: Headers };
}

/** The caller's headers can hold passwords: they are for the site, and not to be overheard where it has TLS. */
export function headersFor(crawl: HeaderRules, url: URL): Headers {
  const { headers } = crawl.page;
  const isDowngrade = url.protocol === 'http:' && crawl.options.url.startsWith('https:');
  return isDowngrade || !crawl.scope.isOnSite(url) ? portableHeaders(headers) : headers;
}
