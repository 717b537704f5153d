import type { BannerDocument, BannerElement } from './dom.ts';

declare const document: BannerDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const getComputedStyle: (element: BannerElement) => { position: string; overflowY: string; zIndex: string };

/**
 * Runs in the page: takes out of sight what is left of a cookie banner (a backdrop, a lock of scrolling, an animation that is still
 * running), and overlays that are cookie banners by what they say. Returns how many elements it has hidden.
 * @param selectors what a known platform shows
 */
export function clearBanner(selectors: string): number {
  const MAX_OVERLAYS = 200;
  /** Longer overlays are pages. */
  const MAX_TEXT = 6_000;
  const COOKIES =
    /cookie|gdpr|dsgvo|rgpd|consent\b|einwilligung|consentement|consentimiento|consenso|toestemming|samtycke|samtykke|ciasteczk|galetes|küpsis|evästee|sušenk|sütik|çerez|クッキー|쿠키/i;
  /** What a banner says about cookies; a shop that sells some does not. */
  const REASON =
    /\b(?:uses?|using|stores?|privacy|track|analy|advert|ads|personali|experience|policy|website|our site|gdpr|consent)|verwend|nutz|einsetz|datenschutz|webseite|utilis|confidentialité|utiliz|usamos|sitio|privacidad|utilizz|gebruik|używ|użyt|använd|bruger|bruker|käyt|použív|használ|kullan|использу|χρησιμοπ|使用|利用|사용/i;
  /** What the button of a banner says, alone or with a few words more: "Accept all cookies", "Nur notwendige". */
  const ANSWER =
    /^\W*(?:i )?(?:accept|agree|allow|reject|decline|deny|refuse|got it|ok(?:ay)?|only necessary|necessary only|essential|continue without|understood|alle(?:s)? |akzept|annehmen|zustimm|einverstanden|ablehn|nur (?:notwendig|erforderlich|essenziell)|verstanden|tout |j'accepte|accepter|refuser|continuer sans|aceptar|acepto|rechazar|entendido|accett|rifiut|ho capito|aceitar|aceito|rejeitar|recusar|entendi|accepteer|akkoord|weiger|zgadzam|akceptuj|odrzu|godkänn|acceptera|avvisa|godta|accepter|afvis|hyväks|souhlas|přijmout|elfogad|kabul|принять|согласен|принимаю|αποδοχή|同意|承認|동의)/i;
  const CONTENT = 'main, article, [role="main"]';
  let hidden = 0;

  function hide(element: BannerElement): void {
    if (element === document.body || element === document.documentElement || element.querySelector(CONTENT)) return;
    element.style?.setProperty('display', 'none', 'important');
    hidden++;
  }

  function positionOf(element: BannerElement): string {
    return getComputedStyle(element).position;
  }

  function isOverlay(element: BannerElement): boolean {
    return (
      element.localName === 'dialog' ||
      element.getAttribute('role') === 'dialog' ||
      /fixed|sticky/.test(positionOf(element))
    );
  }

  function asksForCookies(element: BannerElement): boolean {
    const text = element.innerText ?? '';
    if (text.length > MAX_TEXT || !COOKIES.test(text) || !REASON.test(text)) return false;
    for (const button of element.querySelectorAll(
      'button, a, [role="button"], input[type="button"], input[type="submit"]',
    )) {
      const label = (button.innerText || button.getAttribute('value') || '').trim();
      if (label.length <= 50 && ANSWER.test(label)) return true;
    }
    return false;
  }

  /** The overlays that speak of cookies, the innermost first. */
  function overlays(): BannerElement[] {
    const found: BannerElement[] = [];
    const texts = document.body === null ? null : document.createTreeWalker(document.body, 4);
    for (
      let text = texts?.nextNode() ?? null;
      text !== null && found.length < MAX_OVERLAYS;
      text = texts?.nextNode() ?? null
    ) {
      if (!COOKIES.test(text.nodeValue ?? '')) continue;
      let around = text.parentElement;
      while (around !== null && around !== document.body && !isOverlay(around)) around = around.parentElement;
      if (around !== null && around !== document.body && !found.includes(around)) found.push(around);
    }
    return found;
  }

  /** What lies over the whole window and shows nothing: the backdrop of a banner that is gone. */
  function backdrops(): BannerElement[] {
    const points: [number, number][] = [
      [innerWidth / 2, innerHeight / 2],
      [5, 5],
      [innerWidth - 5, innerHeight - 5],
    ];
    const tops = points.map(([x, y]) => document.elementsFromPoint(x, y)[0]).filter((element) => element !== undefined);
    return [...new Set(tops)].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      if (positionOf(element) !== 'fixed' || width < 0.9 * innerWidth || height < 0.9 * innerHeight) return false;
      return (
        (element.innerText ?? '').trim() === '' &&
        element.querySelector('img, canvas, video, iframe, svg, form') === null
      );
    });
  }

  if (selectors !== '') for (const element of document.querySelectorAll(`:where(${selectors})`)) hide(element);
  for (const element of overlays()) if (element.checkVisibility() && asksForCookies(element)) hide(element);
  if (selectors === '' && hidden === 0) return 0;
  for (const element of backdrops()) hide(element);
  // A page that is higher than the window and cannot be scrolled was locked for the banner.
  if (document.documentElement.scrollHeight > innerHeight) {
    for (const element of [document.documentElement, document.body]) {
      if (element === null) continue;
      if (/hidden|clip/.test(getComputedStyle(element).overflowY))
        element.style?.setProperty('overflow', 'visible', 'important');
      if (positionOf(element) === 'fixed') element.style?.setProperty('position', 'static', 'important');
    }
  }
  return hidden;
}
