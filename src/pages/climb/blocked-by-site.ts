import type { Block } from '../../content/block-page.ts';
import { TrawlError } from '../../errors.ts';
import type { ProxyMode } from '../../fetch/types.ts';
import type { SiteFetcher } from '../../site/site-fetcher.ts';

interface Tried {
  steps: readonly string[];
  mode: ProxyMode;
  fetcher: Pick<SiteFetcher, 'hasEnhanced'>;
}

/** The error for a site that shows a block page whatever is tried. */
export function blockedBySite({ host }: URL, block: Block | undefined, { steps, mode, fetcher }: Tried): TrawlError {
  const vendor = block?.vendor === undefined ? '' : `, made by ${block.vendor}`;
  return new TrawlError(
    'SCRAPE_BLOCKED_BY_SITE',
    `${host} shows a page against robots instead of its content${vendor}. Tried: ${steps.join(', ')}. ${advice(mode, fetcher.hasEnhanced)}`,
  );
}

function advice(mode: ProxyMode, hasEnhanced: boolean): string {
  if (mode === 'basic') return 'Leave out "proxy": "basic" to try other ways.';
  if (!hasEnhanced) {
    return 'Ask the site for access or for an API; the operator can set TRAWL_PROXY_ENHANCED to a proxy whose address the site accepts.';
  }
  return 'Ask the site for access or for an API, or try again later.';
}
