import type { PageDocument, PageElement, PageStyle } from './dom.ts';
import type { ImageFacts } from './facts.ts';

declare const document: PageDocument & { readonly title: string };
declare const location: { readonly href: string; readonly origin: string; readonly hostname: string };
declare const scrollY: number;
declare const getComputedStyle: (element: PageElement) => PageStyle;

/** Runs in the page: pictures that stand for the site, the most likely logo first. */
export function collectImages(): ImageFacts {
  const MAX_CANDIDATES = 200;
  /** Of a logo that is part of the page. */
  const MAX_DATA = 50_000;
  const MIN_SCORE = 45;
  const SVG = 'http://www.w3.org/2000/svg';
  const NAMED = /logo|brand|wordmark/i;
  /** Logos of others, and pictures that are something else. */
  const OTHER =
    /partner|client|customer|sponsor|payment|social|trust|press|award|badge|avatar|user|icon|search|menu|cart|flag|language|hamburger|burger|arrow|chevron/i;

  function absolute(address: string | null): string | null {
    if (address === null || address.trim() === '') return null;
    try {
      const { href, protocol } = new URL(address, document.baseURI);
      if (protocol === 'data:') return href.length <= MAX_DATA ? href : null;
      return protocol === 'https:' || protocol === 'http:' ? href : null;
    } catch {
      return null;
    }
  }

  /** A drawing in the page as a picture of its own. */
  function drawing(svg: PageElement): string | null {
    const copy = svg.cloneNode(true);
    copy.setAttribute('xmlns', SVG);
    const { width, height } = svg.getBoundingClientRect();
    if (!copy.hasAttribute('width')) copy.setAttribute('width', String(Math.round(width)));
    if (!copy.hasAttribute('height')) copy.setAttribute('height', String(Math.round(height)));
    // `currentColor` is the colour of the text around it, and `<use>` shows a symbol from elsewhere in the page.
    const { color, fill } = getComputedStyle(svg);
    copy.setAttribute('color', color);
    if (!copy.hasAttribute('fill') && fill !== 'rgb(0, 0, 0)') copy.setAttribute('fill', fill);
    for (const use of copy.querySelectorAll('use')) {
      const id = (use.getAttribute('href') ?? use.getAttribute('xlink:href') ?? '').split('#')[1];
      const symbol = id === undefined ? null : document.getElementById(id);
      if (symbol === null) continue;
      const defs = document.createElementNS(SVG, 'defs');
      defs.prepend(symbol.cloneNode(true));
      copy.prepend(defs);
    }
    const { outerHTML } = copy;
    if (outerHTML.length > MAX_DATA || /<script|\son\w+=/i.test(outerHTML)) return null;
    const address = `data:image/svg+xml,${encodeURIComponent(outerHTML)}`;
    return address.length <= MAX_DATA ? address : null;
  }

  function addressOf(element: PageElement): string | null {
    if (element.localName === 'svg') return drawing(element);
    if (element.localName === 'img') {
      const shown = 'currentSrc' in element && typeof element.currentSrc === 'string' ? element.currentSrc : '';
      return absolute(shown || element.getAttribute('src'));
    }
    const [, address] = /url\(["']?(.*?)["']?\)/.exec(getComputedStyle(element).backgroundImage) ?? [];
    return absolute(address ?? null);
  }

  function leadsHome(element: PageElement): boolean {
    const link = element.closest('a[href]');
    if (link === null) return false;
    try {
      const { origin, pathname } = new URL(link.getAttribute('href') ?? '', document.baseURI);
      return origin === location.origin && /^\/(?:index\.\w+|home|[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(pathname);
    } catch {
      return false;
    }
  }

  /** The words of the element and of the three around it. */
  function wordsOf(element: PageElement): string {
    const words: string[] = [];
    let around: PageElement | null = element;
    for (let level = 0; level < 4 && around !== null && around.localName !== 'body'; level++) {
      words.push(around.getAttribute('class') ?? '', around.id, around.getAttribute('aria-label') ?? '');
      around = around.parentElement;
    }
    return words.join(' ').slice(0, 2_000);
  }

  function scoreOf(element: PageElement): number {
    if (!element.checkVisibility()) return 0;
    const { top, left, width, height } = element.getBoundingClientRect();
    if (width < 16 || height < 12 || width > 640 || height > 320) return 0;
    const own = `${element.getAttribute('class') ?? ''} ${element.id} ${element.getAttribute('alt') ?? ''} ${
      element.querySelector('title')?.textContent ?? ''
    }`;
    const source = (element.getAttribute('src') ?? '').slice(0, 500);
    const words = wordsOf(element);
    const isHeader = element.closest('header, nav, [role="banner"], [role="navigation"], [class*="header" i]') !== null;
    const isHome = leadsHome(element);
    const isNamed = NAMED.test(own) || NAMED.test(words) || NAMED.test(source);
    let score = 0;
    if (isHome) score += 40;
    if (isHeader) score += 25;
    if (isNamed) score += 35;
    if (top + scrollY < 160) score += 15;
    if (left < 400) score += 5;
    if (OTHER.test(own) || OTHER.test(words.replaceAll(/favicon|brand-?icon|site-?icon/gi, ''))) score -= 40;
    if (element.closest('footer, main, article, button') !== null && !isHome) score -= 30;
    return score;
  }

  function shownLogo(): string | null {
    const elements = [...document.querySelectorAll('img, svg, [class*="logo" i], [id*="logo" i], [class*="brand" i]')];
    const ranked = elements
      .slice(0, MAX_CANDIDATES)
      .map((element, order) => ({ element, order, score: scoreOf(element) }))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score || a.order - b.order);
    for (const { element } of ranked) {
      const address = addressOf(element);
      if (address !== null) return address;
    }
    return null;
  }

  /** The logo that the page states in JSON-LD. */
  function statedLogo(): string | null {
    for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 20)) {
      const text = script.textContent ?? '';
      if (text.length > 200_000 || !text.includes('"logo"')) continue;
      try {
        const address = logoIn(JSON.parse(text), 0);
        if (address !== null) return address;
      } catch {
        // Not JSON: the next may be.
      }
    }
    return null;
  }

  function logoIn(value: unknown, depth: number): string | null {
    if (typeof value !== 'object' || value === null || depth > 6) return null;
    if ('logo' in value) {
      const [logo]: unknown[] = Array.isArray(value.logo) ? value.logo : [value.logo];
      const address =
        typeof logo === 'object' && logo !== null
          ? 'url' in logo
            ? logo.url
            : 'contentUrl' in logo
              ? logo.contentUrl
              : null
          : logo;
      if (typeof address === 'string') return absolute(address);
    }
    for (const inner of Object.values(value).slice(0, 100)) {
      const address = logoIn(inner, depth + 1);
      if (address !== null) return address;
    }
    return null;
  }

  /** The best of the icons that the page names: drawings first, then the largest. */
  function favicon(): string | null {
    const icons = [...document.querySelectorAll('link[rel~="icon" i], link[rel="apple-touch-icon" i]')].slice(0, 30);
    const ranked = icons
      .map((link) => {
        const isDrawing = /svg/i.test(`${link.getAttribute('type')} ${link.getAttribute('href')}`);
        const size = Number.parseInt(link.getAttribute('sizes') ?? '', 10) || 16;
        return { address: absolute(link.getAttribute('href')), rank: isDrawing ? 10_000 : size };
      })
      .filter(({ address }) => address !== null)
      .sort((a, b) => b.rank - a.rank);
    return ranked[0]?.address ?? null;
  }

  const ogImage = document.querySelector(
    'meta[property="og:image"], meta[name="og:image"], meta[name="twitter:image"]',
  );
  return {
    logo: shownLogo() ?? statedLogo(),
    favicon: favicon(),
    ogImage: absolute(ogImage?.getAttribute('content') ?? null),
  };
}
