import { constants } from 'node:buffer';
import type { ReadPage } from './body/read-page.ts';
import { createEgressGuard, type ResolveName } from './egress/egress-guard.ts';
import { checkTarget, post } from './post.ts';
import { proxyRoute } from './proxy-route.ts';
import { directRoute } from './route.ts';
import type { Fetcher, Poster } from './types.ts';
import { visit } from './visit.ts';

export interface FetcherOptions {
  /** CIDRs that may be fetched although they are private (TRAWL_ALLOW_NETWORKS). */
  allowNetworks: readonly string[];
  /** TRAWL_PROXY. */
  proxy?: string | undefined;
  /** TRAWL_PROXY_ENHANCED. */
  enhancedProxy?: string | undefined;
  /** Largest body, as sent and unpacked. */
  maxBodyBytes: number;
  /** How names become addresses; the system's resolver by default. */
  resolve?: ResolveName;
}

/**
 * The way out. Every connection, at every redirect, is decided by the egress guard.
 *
 * @throws ConfigError for a network or a proxy address that cannot be read
 */
export function createFetcher(options: FetcherOptions): Fetcher & Poster {
  const { proxy, enhancedProxy } = options;
  // A body has to fit into a string.
  const maxBodyBytes = Math.min(options.maxBodyBytes, constants.MAX_STRING_LENGTH);
  const guard = createEgressGuard(options.allowNetworks, options.resolve);
  const basic = proxy === undefined ? directRoute(guard) : proxyRoute('TRAWL_PROXY', proxy, guard);
  const enhanced = enhancedProxy === undefined ? undefined : proxyRoute('TRAWL_PROXY_ENHANCED', enhancedProxy, guard);

  return {
    async fetch(request) {
      if (request.proxy === 'enhanced' && enhanced !== undefined) {
        return { ...(await visit(enhanced, request, maxBodyBytes)), proxyUsed: 'enhanced' };
      }
      const page = await visit(basic, request, maxBodyBytes);
      if (request.proxy === 'auto' && enhanced !== undefined && looksBlocked(page)) {
        return { ...(await visit(enhanced, request, maxBodyBytes)), proxyUsed: 'enhanced' };
      }
      return { ...page, proxyUsed: 'basic' };
    },
    post: (request) => post(basic, request),
    checkTarget: (url) => checkTarget(guard, url),
    check: (url) => guard.checkUrl(url),
    async close() {
      await Promise.all([basic.close(), enhanced?.close()]);
    },
  };
}

const BLOCKED_STATUS: ReadonlySet<number> = new Set([403, 429, 503]);
/** What Cloudflare and AWS WAF set on the pages that ask for proof of a human, whatever the status. */
const CHALLENGE_HEADERS = ['cf-mitigated', 'x-amzn-waf-action'] as const;

/** Whether a site seems to refuse where the request came from. Not 401, which asks for a password. */
function looksBlocked({ status, headers }: ReadPage): boolean {
  return BLOCKED_STATUS.has(status) || CHALLENGE_HEADERS.some((name) => headers[name] !== undefined);
}
