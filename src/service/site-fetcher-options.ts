import type { Config } from '../config.ts';
import type { SiteFetcherOptions } from '../site/site-fetcher.ts';

/** The settings of what reaches the web. */
export function siteFetcherOptions({
  allowNetworks,
  proxy,
  enhancedProxy,
  maxPageBytes,
  browserPath,
  browserContexts,
  dataDir,
}: Config): SiteFetcherOptions {
  return { allowNetworks, proxy, enhancedProxy, maxBodyBytes: maxPageBytes, browserPath, browserContexts, dataDir };
}
