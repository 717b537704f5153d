import { html } from './site.ts';

const ARTICLE = `<main><h1>How tides work</h1>${'<p>The sea rises and falls twice a day because the moon pulls at it, and the sun does a little too.</p>'.repeat(8)}</main>`;
const BOX = 'position:fixed;left:0;right:0;bottom:0;background:#333;color:#fff;padding:24px;z-index:9999';
const SHADE = 'position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9998';
const WORDS = 'We use cookies and similar technologies to personalise adverts. BANNERTEXT';

/** A page of an article, with a banner of some platform over it, or without one. */
export function articlePage(banner = ''): string {
  return html(ARTICLE + banner, '<title>How tides work</title>');
}

/** What visitors choose is noted on the root of the page, and takes the banner away. */
function choices(banner: string, answers: Record<string, 'rejected' | 'accepted'>, root = 'document'): string {
  const handlers = Object.entries(answers).map(
    ([selector, choice]) =>
      `${root}.querySelector(${JSON.stringify(selector)}).addEventListener('click', (event) => { event.preventDefault(); choose('${choice}') });`,
  );
  return `<script>{
    function choose(choice) {
      top.document.documentElement.dataset.choice = choice;
      for (const part of document.querySelectorAll(${JSON.stringify(banner)})) part.remove();
      document.body.className = ''; document.body.style.overflow = '';
    }
    ${handlers.join('\n')}
  }</script>`;
}

export interface ConsentBanner {
  platform: string;
  banner: string;
  /** Further pages of the site. */
  pages?: Record<string, string>;
}

export const CONSENT_BANNERS: readonly ConsentBanner[] = [
  {
    platform: 'OneTrust',
    banner: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter" style="${SHADE}"></div>
      <div id="onetrust-banner-sdk" role="dialog" style="${BOX}"><p>${WORDS}</p><button id="onetrust-accept-btn-handler">Accept all</button><button id="onetrust-reject-all-handler">Reject all</button></div></div>
      ${choices('#onetrust-consent-sdk', { '#onetrust-accept-btn-handler': 'accepted', '#onetrust-reject-all-handler': 'rejected' })}`,
  },
  {
    platform: 'Cookiebot',
    banner: `<div id="CybotCookiebotDialog" style="${BOX}"><p>${WORDS}</p><button id="CybotCookiebotDialogBodyButtonAccept">Allow all</button><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll">Deny</button></div>
      <script>window.Cookiebot = { hasResponse: false, dialog: { visible: true } }</script>
      ${choices('#CybotCookiebotDialog', { '#CybotCookiebotDialogBodyButtonAccept': 'accepted', '#CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll': 'rejected' })}`,
  },
  {
    platform: 'Didomi, which locks scrolling',
    banner: `<style>.didomi-popup-open { overflow: hidden; position: fixed; width: 100% }</style><div id="didomi-host"><div class="didomi-popup-backdrop" style="${SHADE}"><div id="didomi-popup" style="${BOX}"><p>${WORDS}</p>
      <button id="didomi-notice-agree-button">Agree and close</button><button id="didomi-notice-disagree-button">Disagree</button></div></div></div><script>document.body.className = 'didomi-popup-open'</script>
      ${choices('#didomi-host', { '#didomi-notice-agree-button': 'accepted', '#didomi-notice-disagree-button': 'rejected' })}`,
  },
  {
    platform: 'Quantcast',
    banner: `<div id="qc-cmp2-container"><div id="qc-cmp2-main" style="${SHADE}"><div id="qc-cmp2-ui" style="${BOX}"><p>${WORDS}</p><div class="qc-cmp2-summary-buttons"><button id="disagree-btn" mode="secondary">Disagree</button><button id="agree-btn" mode="primary">Agree</button></div></div></div></div>
      ${choices('#qc-cmp2-container', { '#agree-btn': 'accepted', '#disagree-btn': 'rejected' })}`,
  },
  {
    platform: 'TrustArc',
    banner: `<div id="truste-consent-track" style="${BOX}"><div id="truste-consent-content"><p>${WORDS}</p><button id="truste-consent-button">Accept</button><button id="truste-consent-required">Required only</button></div></div>
      ${choices('#truste-consent-track', { '#truste-consent-button': 'accepted', '#truste-consent-required': 'rejected' })}`,
  },
  {
    platform: 'Usercentrics, in a shadow tree',
    banner: `<div id="usercentrics-root"></div><script>
      { const root = document.getElementById('usercentrics-root').attachShadow({ mode: 'open' });
        root.innerHTML = '<div data-testid="uc-container" style="${BOX}"><p>${WORDS}</p><button data-testid="uc-accept-all-button">Accept all</button><button data-testid="uc-deny-all-button">Deny</button></div>';
        window.UC_UI = { closeCMP() {} } }</script>
      ${choices('#usercentrics-root', { '[data-testid=uc-accept-all-button]': 'accepted', '[data-testid=uc-deny-all-button]': 'rejected' }, 'document.getElementById("usercentrics-root").shadowRoot')}`,
  },
  {
    platform: 'Sourcepoint, in a frame',
    banner: `<div id="sp_message_container_1" style="${SHADE}"><iframe title="Consent" src="/index.html?message_id=1" style="position:fixed;bottom:0;width:100%;height:200px;border:0;background:#fff"></iframe></div>
      <style>html.sp-message-open body { overflow: hidden !important }</style><script>document.documentElement.className = 'sp-message-open';
      addEventListener('message', ({ data }) => { document.documentElement.dataset.choice = data; document.getElementById('sp_message_container_1').remove(); document.documentElement.className = '' })</script>`,
    pages: {
      '/index.html':
        html(`<div class="message type-modal"><p>${WORDS}</p><button class="sp_choice_type_11">Accept</button><button class="sp_choice_type_13">Reject all</button></div>
        <script>for (const [name, choice] of [['11', 'accepted'], ['13', 'rejected']]) document.querySelector('.sp_choice_type_' + name).onclick = () => parent.postMessage(choice, '*')</script>`),
    },
  },
  {
    platform: 'Osano',
    banner: `<div class="osano-cm-window"><div class="osano-cm-dialog osano-cm-dialog--type_bar" role="dialog" style="${BOX}"><p>${WORDS}</p><button class="osano-cm-accept-all">Accept all</button><button class="osano-cm-denyAll">Reject non-essential</button></div></div>
      <script>window.Osano = { cm: { dialogOpen: true } }</script>${choices('.osano-cm-window', { '.osano-cm-accept-all': 'accepted', '.osano-cm-denyAll': 'rejected' })}`,
  },
  {
    platform: 'Complianz',
    banner: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner" role="dialog" style="${BOX}"><p>${WORDS}</p><button class="cmplz-btn cmplz-accept">Accept</button><button class="cmplz-btn cmplz-deny">Deny</button></div></div>
      ${choices('#cmplz-cookiebanner-container', { '.cmplz-accept': 'accepted', '.cmplz-deny': 'rejected' })}`,
  },
  {
    platform: 'CookieYes',
    banner: `<div class="cky-overlay" style="${SHADE}"></div><div class="cky-consent-container" style="${BOX}"><p>${WORDS}</p><button data-cky-tag="accept-button">Accept all</button><button data-cky-tag="reject-button">Reject all</button></div>
      ${choices('.cky-consent-container', { '[data-cky-tag=accept-button]': 'accepted', '[data-cky-tag=reject-button]': 'rejected' })}`,
  },
  {
    platform: 'Klaro',
    banner: `<div class="klaro"><div class="cookie-notice" style="${BOX}"><p>${WORDS}</p><button class="cm-btn cm-btn-success">That's ok</button><button class="cm-btn cn-decline">I decline</button></div></div>
      ${choices('.klaro', { '.cm-btn-success': 'accepted', '.cn-decline': 'rejected' })}`,
  },
  {
    platform: 'Borlabs',
    banner: `<div id="BorlabsCookieBox"><div class="_brlbs-box-wrap" style="${SHADE}"><div class="_brlbs-block-content" style="${BOX}"><p>${WORDS}</p><a href="#" data-cookie-accept-all>Alle akzeptieren</a> <a href="#" data-cookie-refuse>Nur essenzielle</a></div></div></div>
      ${choices('#BorlabsCookieBox', { '[data-cookie-accept-all]': 'accepted', '[data-cookie-refuse]': 'rejected' })}`,
  },
  {
    platform: 'Iubenda',
    banner: `<div id="iubenda-cs-banner" style="${BOX}"><p>${WORDS}</p><button class="iubenda-cs-accept-btn">Accetta</button><button class="iubenda-cs-reject-btn">Rifiuta</button></div>
      ${choices('#iubenda-cs-banner', { '.iubenda-cs-accept-btn': 'accepted', '.iubenda-cs-reject-btn': 'rejected' })}`,
  },
  {
    platform: 'Google Funding Choices',
    banner: `<div class="fc-consent-root"><div class="fc-dialog-overlay" style="${SHADE}"></div><div class="fc-dialog-container" style="${BOX}"><p>${WORDS}</p><button class="fc-cta-consent">Consent</button><button class="fc-cta-do-not-consent">Do not consent</button></div></div>
      <script>document.body.style.overflow = 'hidden'</script>${choices('.fc-consent-root', { '.fc-cta-consent': 'accepted', '.fc-cta-do-not-consent': 'rejected' })}`,
  },
  {
    platform: 'a platform that nobody knows, with a button to decline',
    banner: `<div id="our-own" style="${BOX}"><p>${WORDS}</p><button class="yes">Accept all</button><button class="no">Reject all</button></div>
      ${choices('#our-own', { '.yes': 'accepted', '.no': 'rejected' })}`,
  },
];

/** Banners that offer no way to decline: they are hidden, and nothing on them is clicked. */
export const BANNERS_WITHOUT_CHOICE: readonly ConsentBanner[] = [
  {
    platform: 'only a button to accept',
    banner: `<div id="bar" style="${BOX}"><p>${WORDS}</p><button class="yes">Accept cookies</button></div>${choices('#bar', { '.yes': 'accepted' })}`,
  },
  {
    platform: 'accepting, or settings',
    banner: `<div id="bar" style="${BOX}"><p>Diese Website verwendet Cookies. BANNERTEXT</p><button class="yes">Alle akzeptieren</button><button class="more">Einstellungen</button></div>${choices('#bar', { '.yes': 'accepted' })}`,
  },
  {
    platform: 'a modal dialog with a backdrop and a lock',
    banner: `<style>body.locked { overflow: hidden }</style><div style="${SHADE}"></div><div id="bar" role="dialog" aria-modal="true" style="${BOX}"><p>Ce site utilise des cookies. BANNERTEXT</p><button class="yes">J'accepte</button></div>
      <script>document.body.className = 'locked'</script>${choices('#bar', { '.yes': 'accepted' })}`,
  },
];

/** Pages that mention cookies, or have overlays, and must stay as they are. Each click on a button of theirs is noted. */
export const UNTOUCHED: readonly (readonly [name: string, body: string])[] = [
  [
    'an article about cookies of browsers',
    `${ARTICLE}<p>A cookie is text that a server stores. Users may accept cookies or reject all of them.</p><button>Accept all cookies</button><button>Reject all</button>`,
  ],
  [
    'recipes with a fixed header',
    `<header style="position:fixed;top:0;background:#fff"><a href="/c">Cookies</a> <a href="/b">Bread</a></header>${ARTICLE}<h2>Oatmeal cookies</h2><button>Add cookies to my list</button>`,
  ],
  [
    'a shop with a sticky basket',
    `${ARTICLE}<div style="position:sticky;bottom:0;background:#fff">2 cookies in your basket <button>Checkout</button><button>Ok</button></div>`,
  ],
  [
    'a cookie policy',
    `<main><h1>Cookie policy</h1><h2>How to reject all cookies</h2><p>This site uses cookies. You can withdraw your consent.</p><p><a href="#onetrust">Cookie settings</a></p></main>`,
  ],
  [
    'a newsletter dialog',
    `${ARTICLE}<div role="dialog" style="${BOX}"><p>Get our letter</p><input><button>Subscribe</button><button>No thanks</button></div>`,
  ],
  [
    'a login dialog with terms',
    `${ARTICLE}<div role="dialog" aria-modal="true" style="${BOX}"><h2>Log in</h2><p>By continuing you agree to our terms and our privacy policy.</p><button>Continue</button><button>Accept</button></div>`,
  ],
  [
    'an age gate',
    `${ARTICLE}<div role="dialog" style="${BOX}"><p>Are you over 18?</p><button>Yes, I agree</button><button>No</button></div>`,
  ],
  [
    'an application in a fixed box',
    `<div style="position:fixed;inset:0;overflow:auto">${ARTICLE}<p>We use cookies in this kitchen.</p><button>Accept order</button><button>Reject order</button></div>`,
  ],
  [
    'a chat in the corner',
    `${ARTICLE}<div style="position:fixed;right:0;bottom:0;background:#eee"><p>Hello! May I help with your consent form?</p><button>Start chat</button></div>`,
  ],
  [
    'a medical consent form',
    `<main><h1>Consent to treatment</h1><form><p>I consent to the treatment.</p><button type="button">I agree</button><button type="button">I decline</button></form></main>`,
  ],
];
