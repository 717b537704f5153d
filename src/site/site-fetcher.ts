import { BrowserEngine, type EngineReports } from '../browser/browser-engine.ts';
import type { Renderer } from '../browser/types.ts';
import { createFetcher, type FetcherOptions } from '../fetch/fetcher.ts';
import type { Fetcher, Impersonator, Poster } from '../fetch/types.ts';
import { KnownHosts } from './known-hosts.ts';

/** Gets pages of sites: by a plain request, by one as Chrome makes it, or rendered in a browser. */
export interface SiteFetcher extends Fetcher, Impersonator, Renderer {
  /** Whether the operator has set up the second proxy. */
  readonly hasEnhanced: boolean;
  /** What hosts have accepted lately. */
  readonly knownHosts: KnownHosts;
}

export interface SiteFetcherOptions extends FetcherOptions {
  /** TRAWL_BROWSER_PATH. */
  browserPath?: string | undefined;
  /** TRAWL_BROWSER_CONTEXTS. */
  browserContexts?: number | undefined;
  browserReports?: EngineReports;
  /** Where Chromium is unpacked if there is no cache folder. */
  dataDir?: string | undefined;
}

/** The fetcher with its browser, for the operator's figures. */
export interface WholeSiteFetcher extends SiteFetcher, Poster {
  browser: BrowserEngine;
}

/** A command for one page says nothing of its browser. */
const NO_REPORTS: EngineReports = { started() {}, ended() {}, rendered() {} };

/** Plain requests and a browser, past one egress guard. The browser starts with the first page that needs it. Throws ConfigError. */
export function createSiteFetcher({
  browserPath,
  browserContexts,
  browserReports = NO_REPORTS,
  dataDir,
  ...options
}: SiteFetcherOptions): WholeSiteFetcher {
  const fetcher = createFetcher(options);
  const browser = new BrowserEngine({
    path: browserPath,
    dataDir,
    proxies: fetcher,
    maxPageBytes: options.maxBodyBytes,
    contexts: browserContexts,
    reports: browserReports,
  });
  return {
    ...fetcher,
    browser,
    knownHosts: new KnownHosts(),
    render: (request) => browser.render(request),
    async close() {
      await browser.close();
      await fetcher.close();
    },
  };
}
