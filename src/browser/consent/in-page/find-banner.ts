import type { BannerDocument, BannerElement } from './dom.ts';

declare const document: BannerDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const getComputedStyle: (element: BannerElement) => { position: string };

/**
 * Runs in the page: whether the window seems to show a cookie banner, that is, an element of a known consent platform or an overlay
 * that speaks of cookies. Looks at 21 points of the window, so that it takes the same on a page of ten elements and of ten
 * thousand.
 * @param selectors of known platforms
 */
export function findBanner(selectors: string): boolean {
  const COLUMNS = [0.1, 0.5, 0.9];
  const ROWS = [0.02, 0.12, 0.3, 0.5, 0.7, 0.85, 0.97];
  /** Longer overlays are pages. */
  const MAX_TEXT = 6_000;
  const WORDS =
    /cookie|gdpr|dsgvo|rgpd|consent|einwilligung|consentement|consentimiento|consenso|toestemming|samtycke|samtykke|ciasteczk|galetes|küpsis|evästee|sušenk|sütik|çerez|クッキー|쿠키/i;
  const seen = new Set<BannerElement>();

  function isOverlay(element: BannerElement): boolean {
    if (element.localName === 'dialog' || element.getAttribute('role') === 'dialog') return true;
    return /fixed|sticky/.test(getComputedStyle(element).position);
  }

  function speaksOfCookies(element: BannerElement): boolean {
    const text = element.textContent ?? '';
    return text.length <= MAX_TEXT && WORDS.test(text);
  }

  function isBanner(element: BannerElement): boolean {
    return element.matches(`:where(${selectors})`) || (isOverlay(element) && speaksOfCookies(element));
  }

  for (const row of ROWS) {
    for (const column of COLUMNS) {
      const x = column * innerWidth;
      const y = row * innerHeight;
      let at = document.elementFromPoint(x, y);
      // Out of a shadow tree, the way goes on from its host.
      for (
        let inner = at?.shadowRoot?.elementFromPoint(x, y);
        inner;
        inner = inner.shadowRoot?.elementFromPoint(x, y)
      ) {
        if (inner === at) break;
        for (let around: BannerElement | null = inner; around !== null; around = around.parentElement) {
          if (isOverlay(around) && speaksOfCookies(around)) return true;
        }
        at = inner;
      }
      for (let around = document.elementFromPoint(x, y); around !== null; around = around.parentElement) {
        if (around === document.body || seen.has(around)) break;
        seen.add(around);
        if (isBanner(around)) return true;
      }
    }
  }
  return false;
}
