import type { MadeFile, Rendered } from '../browser/types.ts';
import { climb } from './climb/climb.ts';
import type { ScrapedDocument } from './document.ts';
import { needsBrowser } from './needs-browser.ts';
import type { Artifact, Extras, ObtainStage } from './stages.ts';

/**
 * Obtains pages in a browser.
 * @param keepMs how long screenshots and PDFs can be downloaded
 */
export function renderStage(keepMs: number): ObtainStage {
  return {
    isFor: needsBrowser,
    async obtain(fetcher, context) {
      const { page, rendered = {}, steps } = await climb(fetcher, context, 'browser');
      return { page, steps, ...extrasOf(rendered, keepMs) };
    },
  };
}

/** What the document gets besides what is read from the HTML. */
function extrasOf({ screenshot, actions, branding, media }: Rendered, keepMs: number): Extras {
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
  if (media !== undefined) parts.played = media;
  return { artifacts, parts };
}
