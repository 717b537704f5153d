import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { IndexedCMPRuleset } from '@duckduckgo/autoconsent';
import { loadOnce } from '../../load-once.ts';

/** Platforms that the library knows by code and not by rules. */
const CODED =
  '#onetrust-banner-sdk, #onetrust-pc-sdk, #CybotCookiebotDialog, .klaro .cookie-notice, .klaro .cookie-modal, #truste-consent-track, #trustarc-banner-overlay, .truste_popframe, [id^="sp_message_container_"], #_evidon_banner, #uniccmp, #cmpbox, #usercentrics-root, #usercentrics-cmp-ui, tiktok-cookie-banner';

/** The rules of @duckduckgo/autoconsent: they come with the package, nothing is downloaded. */
export interface ConsentRules {
  /** The library, as an expression that gives its exports. */
  script: string;
  /** Selectors of banners that can be on any site. */
  selectors: string;
  /** The rules for a frame, as JSON. */
  rulesFor(url: string, isMainFrame: boolean): string;
}

/** Read when the first page is rendered: 400 kB of text. */
export const consentRules = loadOnce(async (): Promise<ConsentRules> => {
  const { resolve } = createRequire(import.meta.url);
  const [{ filterCompactRules, decodeRules }, source, json] = await Promise.all([
    import('@duckduckgo/autoconsent'),
    readFile(resolve('@duckduckgo/autoconsent'), 'utf8'),
    readFile(resolve('@duckduckgo/autoconsent/rules/compact-rules.json'), 'utf8'),
  ]);
  const all: IndexedCMPRuleset = JSON.parse(json);
  const selectors = new Set([CODED]);
  // A match that depends on what an element contains costs more than it finds.
  for (const { prehideSelectors, detectCmp, detectPopup } of decodeRules(
    filterCompactRules(all, { url: '', mainFrame: true }),
  )) {
    for (const selector of prehideSelectors ?? []) if (!selector.includes(':has(')) selectors.add(selector);
    for (const { exists, visible, negated } of [...detectCmp, ...detectPopup]) {
      for (const selector of [exists, visible]) {
        if (typeof selector === 'string' && !negated && !/^xpath\/|:has\(/.test(selector)) selectors.add(selector);
      }
    }
  }
  return {
    script: `(() => { const module = { exports: {} }; ${source}\n; return module.exports.default; })()`,
    selectors: [...selectors].join(', '),
    rulesFor: (url, mainFrame) => JSON.stringify(filterCompactRules(all, { url, mainFrame })),
  };
});
