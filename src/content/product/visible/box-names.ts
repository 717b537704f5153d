import type { ElementNode } from '../../tree.ts';

/** What the classes, ids and test ids of an element say about it, as bits. */
export const Name = {
  Price: 1,
  /** A former price, or one that others charge. */
  Former: 1 << 1,
  /** The current price, where there are two. */
  Current: 1 << 2,
  /** An amount that is not the product's price: per litre, per month, saved, for shipping. */
  OtherAmount: 1 << 3,
  /** An amount without tax. */
  Untaxed: 1 << 4,
  /** The digits after the decimal separator. */
  Cents: 1 << 5,
  Cart: 1 << 6,
  Related: 1 << 7,
  Reviews: 1 << 8,
  Breadcrumbs: 1 << 9,
  Overlay: 1 << 10,
  /** Where a variant is chosen. */
  Options: 1 << 11,
  Gallery: 1 << 12,
  Stock: 1 << 13,
  /** An article number. */
  Number: 1 << 14,
  Brand: 1 << 15,
  /** The form or section with the buy button. */
  Buy: 1 << 16,
  Title: 1 << 17,
  Navigation: 1 << 18,
  /** One of many products. */
  Card: 1 << 19,
  /** The product that the page is about. */
  Product: 1 << 20,
  /** Probably hidden by a style sheet. */
  Hidden: 1 << 21,
  Sticky: 1 << 22,
  Description: 1 << 23,
  /** A regular price. It is the former price if a lower one is next to it. */
  Regular: 1 << 24,
  /** Marked as sold out. */
  SoldOut: 1 << 25,
  /** Where visitors filter a list. */
  Filter: 1 << 26,
  /** A badge next to a price or picture. A style sheet decides whether it is shown. */
  Badge: 1 << 27,
} as const;

/** Patterns for names in lower case, with a hyphen around each word: `-product-price-price-sale-`. */
const PATTERNS: readonly (readonly [bit: number, pattern: RegExp])[] = [
  [
    Name.Price,
    /price|preis|-prix|-precio|-prezz[oi]|-preco|-prijs|-cen[ay]-|-amount-|-money-|-hinta-|-pris-|-fiyat|-kaina|-hind-|-cost-|-a-offscreen-/,
  ],
  [
    Name.Former,
    /-(?:was|old|former|previous|original|orig|compare|compared|compareat|msrp|rrp|srp|uvp|strike|striked|strikethrough|strikeout|struck|crossed|linethrough|before|barre|tachado|durchgestrichen|streichpreis|statt|ancien|antiguo|anterior|vecchio|nonsale|dis-price)-|line-through|non-sale|secondary-price|full-price|list-?price|retail-?price|price-retail-|old-?price|was-?price|strike-?through|crossed-?out/,
  ],
  [
    Name.Regular,
    /-(?:regular|standard|normal|base)-?(?:price|preis)|price-(?:[a-z]+-)?(?:regular|standard|normal|base)-/,
  ],
  [
    Name.Current,
    /-(?:sale|sales|special|current|now|final|actual|new|our|offer|promo|discount|discounted|reduced|selling|sell|deal|primary|today)-?(?:[a-z]+-)?(?:price|preis|prix|precio|prezzo|amount)|(?:price|preis|prix|precio|prezzo)-(?:[a-z]+-){0,2}(?:sale|sales|special|current|now|final|actual|new|our|offer|promo|discount|discounted|reduced|selling|sell|deal|primary|today)-|-sales?-/,
  ],
  [
    Name.OtherAmount,
    /-(?:unit|unitprice|per|ppu|instal?lments?|klarna|afterpay|clearpay|affirm|sezzle|laybuy|zip|paypal|finance|financing|monthly|month|raten|ratenzahlung|save|saved|saving|savings|yousave|ersparnis|shipping|delivery|versand|freight|deposit|points?|rewards?|loyalty|coupon|voucher|tradein|threshold|progress|tier|tiers|bulk|volume|wholesale|members?|grundpreis|pangv|countdown|percent|percentage|warranty|protection|donation|tip|addons?|surcharge|fees?|subscribe|subscription|autoship)-|trade-in|add-on|plan-/,
  ],
  [
    Name.Untaxed,
    /-(?:excl|exkl|exvat|extax|netto|hors-taxes?)-|without-?tax|ex-(?:vat|tax|gst|mwst)|tax-ex|excluding-tax|-price-(?:ht|net)-/,
  ],
  [Name.Cents, /-(?:cents?|fraction|decimals?|superscript|sup|penny|pence|kopeck|centavos?|centimes?)-/],
  [
    Name.Cart,
    /mini-?(?:cart|basket|bag)|(?:cart|basket|bag|warenkorb|panier|carrello|carrito)-?(?:drawer|items?|total|sub-?total|contents?|dropdown|popup|sidebar|summary|empty|list|notification|modal|overlay|preview|widget|flyout|panel|info|count|link|icon|page|table)-|(?:drawer|side|ajax|header|shopping|nav|top|floating|offcanvas|slide)-?(?:cart|basket|bag)-|-sub-?totals?-|-totals-|-wishlist-|blockcart/,
  ],
  [
    Name.Related,
    /relat(?:ed|ion)|recommend|up-?sells?-|cross-?sell|-similar|recently|-recent-|also-(?:like|bought|view)|you-(?:may|might)|-bundles?-|frequently|accessor(?:y|ies)-|alternative|complement|suggest|more-from|featured|bought-together|customers-|best-?sellers?|trending|empfehl|zubehor|ahnlich|aehnlich|associ|verwandt|-pair|complete-the|shop-the|-looks?-|others?-|sponsored|-ads?-/,
  ],
  [
    Name.Reviews,
    /review|-ratings?-|testimonial|comment|-faq|-questions?-|bewertung|-avis-|yotpo|judgeme|bazaarvoice|trustpilot/,
  ],
  [Name.Breadcrumbs, /bread-?crumb|-crumbs?-|-brotkrumen-|-ariane-|-pathway-/],
  [Name.Overlay, /-(?:modal|popup|dialog|drawer|overlay|lightbox|offcanvas|tooltip|popover|toast|quick-?view|flyout)-/],
  [
    Name.Options,
    // A size or colour of the text is no choice: `a-size-medium a-color-price`.
    /-(?:swatch(?:es)?|options?|variants?|variations?|attributes?|selector|sizes?(?!-(?:xx?s|sm|md|lg|xx?l|small|medium|large|base|mini|micro|extra|\d))|colou?rs?(?!-(?:base|price|primary|secondary|tertiary|success|error|warning|link|state|text))|configurator|configure|radio|dropdown|select)-/,
  ],
  [
    Name.Gallery,
    /gallery|-(?:product-)?(?:images?|media|photos?|pictures?|slides?|thumb(?:nail)?s?|zoom|carousel|slider|swiper|viewer|bilder|fotorama|flickity)-/,
  ],
  [
    Name.Stock,
    /-(?:stock|availability|available|inventory|lager|lagerbestand|verfugbarkeit|verfuegbarkeit|disponibilite|disponibilidad|disponibilita|lieferstatus)-|instock|in-stock|out-?of-?stock|stock-?status|sold-?out/,
  ],
  [
    Name.Number,
    /-(?:skus?|mpn|ordernumber|order-number|artnr|art-nr|artikelnr|artikelnummer|article-number|item-?(?:number|no|num|code|id)|product-?(?:number|code|reference|no|num|sku|model)|part-?(?:number|no|num)|model-?(?:number|no|num)|style-?(?:number|no|code)|catalog-?(?:number|no)|reference|referencia|codice|codigo)-/,
  ],
  [
    Name.Brand,
    /-(?:brands?|brandname|vendor|manufacturer|hersteller|marke|marque|marca|fabricante|maker|byline|designer)-/,
  ],
  [
    Name.Buy,
    /add-?to-?(?:cart|bag|basket)|(?:btn|button)-?cart|cart-?(?:btn|button|add)|tocart|product-?form|buy-?(?:box|button|now|buttons|block|widget)|-atc-|addcart|purchase|cart-form|form-cart|variations-form|-buybox-|-basket-form-/,
  ],
  [
    Name.Title,
    /-(?:product|item|pdp|prod|productview|entry|page|app)-{1,2}(?:meta-)?(?:title|name|heading)-|-(?:product|prod)(?:title|name)-|-name-product-/,
  ],
  [
    Name.Navigation,
    /-(?:nav|navbar|navigation|menu|megamenu|topbar|footer|site-?header|page-?footer|header-links|announcement(?:-bar)?|toolbar|switcher|locali[sz]ation)-/,
  ],
  [
    Name.Card,
    /-(?:cards?|tiles?|teaser|product-?(?:item|card|tile|box|miniature|block|thumb|small|grid-item|layout|list-item)|grid-?item|list-?item|item-card|products?-grid|products?-list|products-?carousel|carousel-?item|swiper-slide|slick-slide|owl-item|grid-product)-/,
  ],
  [
    Name.Product,
    /-(?:pdp|product-?(?:detail|details|single|page|view|main|info|information|summary|essential|content|wrap|wrapper|container|template|section|hero|overview|shop)|single-?product|main-?product|productview|item-?details?|produkt-?detail|entry-summary|buybox|product--(?:single|details?|main)|fiche-produit|ficha-producto|scheda-prodotto)-/,
  ],
  [Name.Filter, /-(?:filters?|facets?|refine(?:ment)?s?|range-slider|price-slider|sort(?:ing)?)-/],
  [Name.Badge, /-(?:badges?|flags?|stickers?|ribbons?|tags?)-/],
  [Name.Sticky, /-(?:sticky|fixed|floating|float|affix|pinned)-/],
  [
    Name.Description,
    /-(?:description|beschreibung|descripcion|descrizione|descricao|omschrijving|beskrivning|opis|rte|tab-?content|specs?|specifications?|long-?desc)-/,
  ],
  [
    Name.SoldOut,
    /-(?:sold-?out|out-?of-?stock|outofstock|unavailable|not-available|nostock|no-stock|ausverkauft|agotado|rupture|esaurito)-/,
  ],
];

/** Classes that hide an element at any width of the window. */
const HIDING_CLASSES = new Set([
  'hidden',
  'd-none',
  'hide',
  'is-hidden',
  'u-hidden',
  'display-none',
  'ng-hide',
  'uk-hidden',
  'js-hidden',
  'is-hide',
  'visually-hide',
]);
/** Classes that show it again at some widths. */
const SHOWN_AT_WIDTH = /(?:^|\s)(?:(?:xs|sm|md|lg|xl|[23]xl|tablet|desktop|mobile)[:@]|d-(?:sm|md|lg|xl|xxl)-)/;

/** Attributes that name parts of a page. They are useful where class names are generated by a machine. */
const NAMING_ATTRIBUTES = [
  'data-testid',
  'data-test',
  'data-test-id',
  'data-hook',
  'data-qa',
  'data-automation-id',
  'data-role',
];
const MAX_LENGTH = 300;

/** Reads the names of the elements of one page. Many elements share the same names, so results are cached. */
export class BoxNames {
  readonly #known = new Map<string, number>();

  /** Bits of `Name`. */
  read({ name: tag, bits, attributes }: ElementNode): number {
    const { class: classes, id, itemprop } = attributes;
    // The tag of a custom element is a name, too: `<price>`, `<add-to-cart>`.
    let names = bits === 0 ? `${tag} ${classes ?? ''}` : (classes ?? '');
    if (id !== undefined) names += ` ${id}`;
    if (itemprop !== undefined) names += ` ${itemprop}`;
    for (const name of NAMING_ATTRIBUTES) {
      const value = attributes.get(name);
      if (value !== undefined) names += ` ${value}`;
    }
    if (names === '') return 0;
    const known = this.#known.get(names);
    if (known !== undefined) return known;
    const read = namesIn(names.slice(0, MAX_LENGTH));
    this.#known.set(names, read);
    return read;
  }
}

function namesIn(names: string): number {
  const words = names.split(/\s+/);
  // A class with a condition or a value (`md:hidden`, `before:block`, `w-[3px]`) is not a name.
  const plain = words.filter((word) => !/[:[@]/.test(word));
  const text = `-${plain
    .join(' ')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')}-`;
  let bits = 0;
  for (const [bit, pattern] of PATTERNS) if (pattern.test(text)) bits |= bit;
  if (plain.some((word) => HIDING_CLASSES.has(word)) && !SHOWN_AT_WIDTH.test(names)) bits |= Name.Hidden;
  return bits;
}
