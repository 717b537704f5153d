import { NotAPage } from '../browser/not-a-page.ts';
import type { MadeFile, Rendered, RenderedPage } from '../browser/types.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import type { ScrapedDocument } from './document.ts';
import { preferredLanguages } from './languages.ts';
import type { ScrapeOptions } from './request.ts';
import type { Artifact, Extras, ObtainStage, StageContext } from './stages.ts';

/** Whether only a browser can give what the request asks for, whatever the page is. */
export function needsBrowser({ waitFor, actions, formats }: ScrapeOptions): boolean {
  return waitFor > 0 || actions.length > 0 || formats.includes('screenshot') || formats.includes('branding');
}

/**
 * Obtains pages in a browser.
 * @param keepMs how long screenshots and PDFs can be downloaded
 */
export function renderStage(keepMs: number): ObtainStage {
  return {
    isFor: needsBrowser,
    async obtain(fetcher, context) {
      const { rendered, ...page } = await renderPage(fetcher, context);
      return { page, ...extrasOf(rendered, keepMs) };
    },
  };
}

/**
 * The page of a request as a browser shows it, with what the request asks the browser for. What is not a page comes as the plain
 * fetch has it.
 */
export async function renderPage(
  fetcher: SiteFetcher,
  { request, deadline, share, urgency }: Pick<StageContext, 'request' | 'deadline' | 'share' | 'urgency'>,
): Promise<RenderedPage> {
  const { url, headers, mobile, location, verifyTls, proxy, blockAds, waitFor, actions, screenshot, formats } = request;
  const languages = preferredLanguages(location);
  const page = { url, headers, mobile, languages, verifyTls, proxy, deadline, share };
  try {
    return await fetcher.render({
      ...{ ...page, urgency, blockAds, waitFor, actions, screenshot },
      branding: formats.includes('branding'),
      country: location.country,
    });
  } catch (error) {
    if (!(error instanceof NotAPage)) throw error;
    return { ...(await fetcher.fetch(page)), rendered: {} };
  }
}

/** What the document gets besides what is read from the HTML. */
function extrasOf({ screenshot, actions, branding }: Rendered, keepMs: number): Extras {
  const artifacts: Artifact[] = [];
  const keep = ({ type, bytes }: MadeFile, addTo: Artifact['addTo']) => artifacts.push({ type, bytes, keepMs, addTo });
  if (screenshot !== undefined) {
    keep(screenshot, (document, address) => {
      document.screenshot = address;
    });
  }
  for (const file of actions?.screenshots ?? []) {
    keep(file, (document, address) => document.actions?.screenshots.push(address));
  }
  for (const file of actions?.pdfs ?? []) keep(file, (document, address) => document.actions?.pdfs.push(address));
  const parts: Partial<ScrapedDocument> = {};
  if (actions !== undefined) {
    const { scrapes, javascriptReturns } = actions;
    parts.actions = { screenshots: [], scrapes, javascriptReturns, pdfs: [] };
  }
  if (branding !== undefined) parts.branding = branding;
  return { artifacts, parts };
}
