import { constants } from 'node:buffer';
import type { ReadPage } from './body/read-page.ts';
import { createEgressGuard, type ResolveName } from './egress/egress-guard.ts';
import { startEgressProxy } from './egress-proxy/egress-proxy.ts';
import { impersonatedExchange } from './impersonate/impersonated-exchange.ts';
import { loadImpit } from './impersonate/load-impit.ts';
import { checkTarget, post } from './post.ts';
import { proxyRoute } from './proxy-route.ts';
import { directRoute } from './route.ts';
import type { Fetcher, Impersonator, Poster, ProxyOpener, ProxyRequest } from './types.ts';
import { visit } from './visit.ts';

/** What a page loads into a browser, and sends from there, in largest bodies: 200 MB by default. */
const RENDERED_BODIES = 4;

export interface FetcherOptions {
  /** Private networks (CIDR) that may be fetched (TRAWL_ALLOW_NETWORKS). */
  allowNetworks: readonly string[];
  /** TRAWL_PROXY. */
  proxy?: string | undefined;
  /** TRAWL_PROXY_ENHANCED. */
  enhancedProxy?: string | undefined;
  /** Largest body, both as sent and decompressed. */
  maxBodyBytes: number;
  /** Resolves names; the system's resolver by default. */
  resolve?: ResolveName;
}

/**
 * The fetcher. The egress guard decides about every connection, at every redirect.
 * @throws ConfigError for an invalid network or proxy address
 */
export function createFetcher(options: FetcherOptions): Fetcher & Impersonator & Poster & ProxyOpener {
  const { proxy, enhancedProxy } = options;
  // A body has to fit into a string.
  const maxBodyBytes = Math.min(options.maxBodyBytes, constants.MAX_STRING_LENGTH);
  const guard = createEgressGuard(options.allowNetworks, options.resolve);
  const basic = proxy === undefined ? directRoute(guard) : proxyRoute('TRAWL_PROXY', proxy, guard);
  const enhanced = enhancedProxy === undefined ? undefined : proxyRoute('TRAWL_PROXY_ENHANCED', enhancedProxy, guard);

  const wayOf = (route: ProxyRequest['route']) => (route === 'enhanced' ? enhanced : undefined) ?? basic;
  const openProxy = ({ admit, route }: ProxyRequest) =>
    startEgressProxy({ admit, route: wayOf(route), maxBytes: RENDERED_BODIES * maxBodyBytes });

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
    async impersonate(request) {
      const impit = await loadImpit();
      if (impit === undefined) return undefined;
      const proxyUsed = request.proxy === 'enhanced' && enhanced !== undefined ? 'enhanced' : 'basic';
      const proxy = await openProxy({ admit: request.admit, route: proxyUsed });
      try {
        const send = impersonatedExchange(impit, proxy);
        return { ...(await visit(wayOf(proxyUsed), request, maxBodyBytes, send)), proxyUsed };
      } finally {
        await proxy.close();
      }
    },
    openProxy,
    hasEnhanced: enhanced !== undefined,
    checkTarget: (url) => checkTarget(guard, url),
    check: (url) => guard.checkUrl(url),
    async close() {
      await Promise.all([basic.close(), enhanced?.close()]);
    },
  };
}

const BLOCKED_STATUS: ReadonlySet<number> = new Set([403, 429, 503]);
/** Headers that Cloudflare and AWS WAF set on challenge pages, whatever the status. */
const CHALLENGE_HEADERS = ['cf-mitigated', 'x-amzn-waf-action'] as const;

/** Whether a site seems to refuse the origin of the request. Not 401, which asks for a password. */
function looksBlocked({ status, headers }: ReadPage): boolean {
  return BLOCKED_STATUS.has(status) || CHALLENGE_HEADERS.some((name) => headers[name] !== undefined);
}
