import type { Page } from 'playwright-core';
import { headersForOrigin, withOwnHeaders } from './own-headers.ts';
import type { RenderRequest } from './types.ts';

/**
 * Lets the browser hold those requests that are changed or refused here, and no others, because each one costs a round
 * trip: requests to the page's own origin if the caller has headers for it, and fonts and media that nobody sees.
 * Pictures load: pages replace the addresses of those that fail.
 *
 * Chromium applies changed headers to one request only and asks anew for its redirect, so they never get to another
 * origin.
 */
export async function holdRequests(page: Page, request: RenderRequest): Promise<void> {
  const own = headersForOrigin(request);
  const { origin } = new URL(request.url);
  const patterns = [
    ...(own.size > 0 ? [{ urlPattern: `${origin}/*` }] : []),
    ...(isUnseen(request) ? [{ resourceType: 'Font' as const }, { resourceType: 'Media' as const }] : []),
  ];
  if (patterns.length === 0) return;
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, resourceType } = paused;
    const isWanted = !isUnseen(request) || (resourceType !== 'Font' && resourceType !== 'Media');
    const isOwn = URL.parse(paused.request.url)?.origin === origin;
    const answered = isWanted
      ? session.send('Fetch.continueRequest', {
          requestId,
          ...(isOwn ? { headers: withOwnHeaders(paused.request.headers, resourceType, own) } : {}),
        })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The page may be gone.
    answered.catch(() => {});
  });
  await session.send('Fetch.enable', { patterns });
}

/** Whether fonts and media change nothing that is delivered. An action may depend on them. */
function isUnseen({ blockAds, screenshot, branding, media, actions }: RenderRequest): boolean {
  return blockAds && screenshot === undefined && !branding && !media && actions.length === 0;
}
