import { BrowserEngine } from '../browser/browser-engine.ts';
import type { Renderer } from '../browser/types.ts';
import { createFetcher, type FetcherOptions } from '../fetch/fetcher.ts';
import type { Fetcher, Poster } from '../fetch/types.ts';

/** Gets pages of sites: by a plain request, or rendered in a browser. */
export interface SiteFetcher extends Fetcher, Renderer {}

export interface SiteFetcherOptions extends FetcherOptions {
  /** TRAWL_BROWSER_PATH. */
  browserPath?: string | undefined;
  /** Where Chromium is unpacked if there is no cache folder. */
  dataDir?: string | undefined;
}

/** Plain requests and a browser, past one egress guard. The browser starts with the first page that needs it. Throws ConfigError. */
export function createSiteFetcher({ browserPath, dataDir, ...options }: SiteFetcherOptions): SiteFetcher & Poster {
  const fetcher = createFetcher(options);
  const browser = new BrowserEngine({
    path: browserPath,
    dataDir,
    proxies: fetcher,
    maxPageBytes: options.maxBodyBytes,
  });
  return {
    ...fetcher,
    render: (request) => browser.render(request),
    async close() {
      await browser.close();
      await fetcher.close();
    },
  };
}
