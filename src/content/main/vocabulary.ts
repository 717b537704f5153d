import { FNV_BASIS, hashOf, mix } from './fnv.ts';

/**
 * What the class, id and role names on elements say about the parts of a page. Markup is written in English nearly
 * everywhere; the words of other languages are those seen beside it.
 */

/** The parts of a page; a set of bits. */
export const Part = {
  Navigation: 1,
  Footer: 1 << 1,
  Header: 1 << 2,
  Sidebar: 1 << 3,
  Consent: 1 << 4,
  Advert: 1 << 5,
  Share: 1 << 6,
  Subscribe: 1 << 7,
  Related: 1 << 8,
  Comments: 1 << 9,
  Author: 1 << 10,
  Overlay: 1 << 11,
  Control: 1 << 12,
  Pagination: 1 << 13,
  Tags: 1 << 14,
  ScreenReader: 1 << 15,
  Reviews: 1 << 16,
  Carousel: 1 << 17,
  Signature: 1 << 18,
  Caption: 1 << 19,
  Card: 1 << 20,
  Main: 1 << 21,
  Prose: 1 << 22,
  Post: 1 << 23,
  Product: 1 << 24,
  /** `<header>`, of the page, of the article or of a card. */
  Heading: 1 << 25,
  Form: 1 << 26,
  Button: 1 << 27,
  /** A `<header>` that heads no article and no section. */
  PageHeader: 1 << 28,
} as const;

/** One word, or two that stand together: `read-more`, `readMore` and `read_more` are all `readmore`. */
const WORDS: [parts: number, words: string][] = [
  [
    Part.Navigation,
    'nav navi navbar navheader navfooter navigate navigation navmenu topnav subnav sidenav globalnav mainnav menu menus menubar megamenu submenu mobilemenu mainmenu menuitem breadcrumb breadcrumbs offcanvas hamburger burger topbar flyout skiplink skiplinks sitemap switcher navigacion navegacion navegacao navigatie brotkrumen',
  ],
  [Part.Footer, 'footer sitefooter pagefooter colophon copyright imprint impressum fusszeile rodape stopka'],
  [Part.Header, 'masthead siteheader globalheader mainheader topheader'],
  [
    Part.Sidebar,
    'sidebar sidebars aside rightrail leftrail siderail rightbar leftbar sidecolumn seitenleiste widgetarea widgettitle complementary',
  ],
  [
    Part.Consent,
    'cookie cookies cookiebar cookiebanner cookieconsent cookielaw consent gdpr ccpa onetrust cookiebot didomi usercentrics iubenda truste datenschutzhinweis',
  ],
  [
    Part.Advert,
    'ad ads advert adverts advertisement advertising adsense adsbygoogle adslot adunit adbox adcontainer adwrapper dfp gpt sponsor sponsors sponsored promobar promobanner anzeige werbung publicite publicidad publicidade pubblicita reklama outbrain taboola',
  ],
  [
    Part.Share,
    'share sharing shares sharebar sharethis sharedaddy social socials socialmedia addtoany addthis teilen partager compartir condividi compartilhar delen',
  ],
  [
    Part.Subscribe,
    'newsletter newsletters subscribe subscription subscribebox signup optin mailinglist mailchimp infolettre boletin leadform',
  ],
  [
    Part.Related,
    'related relatedposts relatedarticles recommended recommendation recommendations recommends trending mostread mostpopular popularposts recentposts latestposts latestnews recirc recirculation readnext upnext nextup upsell upsells crosssell crosssells alsolike youmaylike verwandt aehnliche liees relacionados relacionadas correlati meistgelesen moreposts morearticles morestories morefrom',
  ],
  [
    Part.Comments,
    'comment comments commentlist commentform commentarea commentbody disqus wpdiscuz respond kommentar kommentare commentaires comentarios commenti reacties komentarze',
  ],
  [
    Part.Author,
    'author authors byline vcard bio authorbox authorbio dateline pubdate postmeta entrymeta articlemeta postinfo readingtime readtime avatar autor auteur autore metadata',
  ],
  [
    Part.Overlay,
    'modal modals popup popups popover dialog lightbox tooltip tooltips toast snackbar interstitial paywall',
  ],
  [
    Part.Control,
    'toolbar login signin logout register account minicart basket wishlist searchform searchbox searchbar filter filters sort sorting facet facets captcha feedback survey',
  ],
  [Part.Pagination, 'pagination pager paging paginator prevnext postnav nextprev previouspost nextpost prev'],
  [Part.Tags, 'tags taglist tagcloud tagslinks taxonomy postcategories categorylist keywords'],
  [Part.ScreenReader, 'sronly visuallyhidden screenreader screenreadertext hiddentext assistivetext'],
  [Part.Reviews, 'review reviews testimonial testimonials'],
  [Part.Carousel, 'carousel slider swiper slick slideshow'],
  [Part.Signature, 'signature sig userinfo userdetails userextras postprofile usertitle'],
  [Part.Caption, 'caption captions imagecaption photocredit imagecredit'],
  [Part.Card, 'card cards tile tiles teaser teasers'],
  [
    Part.Main,
    'article content main story entry post maincontent inhalt contenu contenido contenuto conteudo inhoud artikel articulo articolo artigo beitrag tresc',
  ],
  [
    Part.Prose,
    'articlebody articlecontent articletext postbody postcontent posttext entrycontent entrytext storybody storycontent bodytext bodycopy bodycontent blogcontent contentbody prose richtext rte wysiwyg markdown markdownbody hentry textbody',
  ],
  [Part.Post, 'thread threads topic topics reply replies answer answers question message messages forum post posts'],
  [Part.Product, 'product products pdp productdetail productpage'],
];

/** Names like `has-sidebar` and `no-comments` tell of the page, not of the element. */
const ABOUT_OTHERS = 'has no with without hide show is not';

/** Names like `tag-cookies` and `category-share` tell what a text is about. */
const ABOUT_TEXT = 'tag category cat topic subject keyword';

/** A longer name is the address of a heading (`menu-planning-for-small-kitchens`) or made by a program. */
const MAX_WORDS = 6;

const PARTS = new Map<number, number>();
for (const [parts, words] of WORDS) {
  for (const word of words.split(' ')) PARTS.set(hashOf(word), (PARTS.get(hashOf(word)) ?? 0) | parts);
}
const OTHERS = new Set(ABOUT_OTHERS.split(' ').map(hashOf));
const TEXTS = new Set(ABOUT_TEXT.split(' ').map(hashOf));

/**
 * The parts that the value of a class or id attribute names. Words end at what is no letter and where a capital
 * follows a small letter; digits at their end do not count; words with digits inside are made by programs.
 */
export function partsOf(value: string): number {
  let parts = 0;
  let start = 0;
  for (let index = 0; index <= value.length; index++) {
    if (index < value.length && value.charCodeAt(index) > 32) continue;
    if (index - start > 1) parts |= partsOfName(value, start, index);
    start = index + 1;
  }
  return parts;
}

function partsOfName(value: string, start: number, end: number): number {
  let parts = 0;
  let words = 0;
  /** Of the word, and of it with the one before. */
  let hash = FNV_BASIS;
  let joint = 0;
  let letters = 0;
  let hasDigits = false;
  let isProgram = false;
  let wasSmall = false;
  let isAboutText = false;
  for (let index = start; index <= end; index++) {
    let code = index < end ? value.charCodeAt(index) : 0;
    const isCapital = code >= 65 && code <= 90;
    if (isCapital) code += 32;
    const isLetter = (code >= 97 && code <= 122) || (code >= 0xdf && code <= 0xff);
    const isDigit = code >= 48 && code <= 57;
    // Utility classes with a condition or a value: `md:order-first`, `w-[300px]`, `w-1/2`.
    if (code === 58 || code === 91 || code === 47) return 0;
    if ((!isLetter && !isDigit) || (isCapital && wasSmall)) {
      if (letters > 0 && !isProgram && !(isCapital && letters < 3)) {
        if (words === 0 && OTHERS.has(hash)) return 0;
        if (!isAboutText) parts |= PARTS.get(hash) ?? 0;
        if (words > 0) parts |= PARTS.get(joint) ?? 0;
        if (words === 0 && TEXTS.has(hash)) isAboutText = true;
      }
      if (letters > 0 || hasDigits) words++;
      joint = hash;
      hash = FNV_BASIS;
      letters = 0;
      hasDigits = false;
      isProgram = false;
    }
    if (isDigit) hasDigits = true;
    if (isLetter) {
      if (hasDigits) isProgram = true;
      hash = mix(hash, code);
      joint = mix(joint, code);
      letters++;
    }
    wasSmall = isLetter && !isCapital;
  }
  return words > MAX_WORDS ? 0 : parts;
}
