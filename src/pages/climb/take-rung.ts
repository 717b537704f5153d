import { NotAPage } from '../../browser/not-a-page.ts';
import type { RenderedPage } from '../../browser/types.ts';
import type { FetchedPage } from '../../fetch/types.ts';
import type { SiteFetcher } from '../../site/site-fetcher.ts';
import { preferredLanguages } from '../languages.ts';
import { needsBrowser } from '../needs-browser.ts';
import type { StageContext } from '../stages.ts';
import type { Rung } from './rungs.ts';

const NOTHING_SHOWN =
  'The site sent a file for download, which a browser does not show: screenshots, actions, waiting and branding have no effect.';

export type ClimbContext = Pick<StageContext, 'request' | 'deadline' | 'share' | 'urgency'>;

/**
 * Requests the page by one means. What is not a page for a browser comes as the plain fetch has it. Undefined where this machine
 * does not have the means. Throws TrawlError.
 */
export async function takeRung(
  fetcher: SiteFetcher,
  target: URL,
  { request, deadline, share, urgency }: ClimbContext,
  { means, proxy }: Rung,
): Promise<FetchedPage | RenderedPage | undefined> {
  const { headers, mobile, location, verifyTls, blockAds, waitFor, actions, screenshot, formats } = request;
  const languages = preferredLanguages(location);
  const plain = { url: target.href, headers, mobile, languages, verifyTls, proxy, deadline, share };
  if (means === 'fetch') return fetcher.fetch(plain);
  if (means === 'impersonated fetch') return fetcher.impersonate(plain);
  try {
    return await fetcher.render({
      ...{ ...plain, urgency, blockAds, waitFor, actions, screenshot },
      branding: formats.includes('branding'),
      media: formats.includes('audio') || formats.includes('video'),
      country: location.country,
    });
  } catch (error) {
    if (!(error instanceof NotAPage)) throw error;
    const file = await fetcher.fetch(plain);
    return { ...file, ...(needsBrowser(request) && { warning: NOTHING_SHOWN }), rendered: {} };
  }
}
