import type { FoundNumber } from './article-number.ts';
import { Name } from './box-names.ts';
import type { BuyControl } from './buy-controls.ts';
import { type Box, outward, type PageBoxes } from './page-boxes.ts';
import type { PriceCandidate } from './price-candidates.ts';
import type { FoundPrice } from './prices.ts';
import type { ProductArea } from './product-area.ts';
import type { FoundStock } from './stock.ts';

/** What the page declares itself to be. */
export interface PageSigns {
  /** Something that is not a product: an article, a recipe, a list. */
  isOther: boolean;
  /** An article, according to its Open Graph type. Many shops have this type on all pages. */
  isArticle: boolean;
  /** A product without an offer. */
  isProduct: boolean;
}

export interface ProductSigns {
  boxes: PageBoxes;
  area: ProductArea;
  control: BuyControl | undefined;
  controls: readonly BuyControl[];
  candidates: readonly PriceCandidate[];
  price: FoundPrice | undefined;
  number: FoundNumber | undefined;
  stock: FoundStock | undefined;
  url: string;
  signs: PageSigns;
}

/**
 * A page with a price and at least this many points sells one product. Among 1,375 real pages that sell none, the
 * highest score of a page with a price is 3.
 */
const ENOUGH = 3.5;
/**
 * The points needed without a visible price: with both a number and a stock statement, with only one of them, and with
 * a buy button.
 */
const ENOUGH_WITH_BOTH = 4;
const ENOUGH_WITH_ONE = 5;
const ENOUGH_WITH_BUTTON = 3.5;
/** The most characters from the title to a close price, and the most other characters in its line. */
const CLOSE = 60;
const MAX_BESIDE = 6;

/** Classes of the body that show the kind of page in common shop systems. */
const PRODUCT_BODY =
  /(?:^|\s)(?:single-product|template-product|product-template\S*|catalog-product-view|page-product|product-page|product-product\S*|is-ctl-product|pdp|product-detail\S*|page-product-detail|productdetail\S*|template-product\S*|productpage|view-product|node-type-product|collection-type-products|product_page|detail-page|item-page)(?:$|\s)/i;
const LIST_BODY =
  /(?:^|\s)(?:template-collection\S*|tax-product_cat|post-type-archive-product|catalog-category-view|catalogsearch-\S+|page-category|category-page|is-ctl-navigation|template-index|template-search|home|template-blog|template-article|single-post|page-blog|template-list-collections|archive|search-results|category-\d+)(?:$|\s)/i;
const PRODUCT_PATH =
  /\/(?:products?|produkte?|produits?|productos?|prodott[oi]|produtos?|produkty?|produs|proizvod|izdelek|tuote|termek|urun|tovar|goods|vare|item|items|itm|p|dp|pd|pdp|ip|sku|artikel|article-\d|shop\/[^/]+\/[^/]+|detail|listing)\/|[-/]p-?\d{3,}|\/[A-Z0-9]{6,}\.html?$|\.p(?:rd)?$|[?&](?:product_?id|sku|pid|variant)=/i;
/** Class, id or test id of a heading that names a product. */
const PRODUCT_TITLE = /(?:^|[\s_-])(?:product|item|pdp|prod|productview)[\w-]*(?:title|name|heading)/i;
const LIST_PATH =
  /\/(?:blog|news|articles?|category|categories|categorie|kategorie|c|cat|search|tag|tags|author|forum|thread|questions?|wiki|docs?|help|support|about|collections\/[^/]+|product-category|brands?)\/?(?:$|\/)/i;

/** Whether a page sells one product. */
export function sellsProduct(signs: ProductSigns): boolean {
  const { price, number, stock, control, url } = signs;
  const points = productPoints(signs);
  // An amount below a heading may be a rate, a salary or a budget.
  const isProductPage = PRODUCT_PATH.test(pathOf(url)) || isProductBody(signs);
  const isShop = control ?? number ?? stock ?? (isProductPage || isNamedProduct(signs) || isInForm(signs));
  if (price) return points >= ENOUGH && Boolean(isShop);
  // Some shops fill in the price with a script.
  if (control?.offer === 'cart' && isProductPage) return points >= ENOUGH_WITH_BUTTON;
  // A product that is no longer sold still has a number and a stock statement.
  const [hasNumber, hasStock] = [number?.isOwn === true, stock?.isStated === true];
  if (hasNumber && hasStock) return points >= ENOUGH_WITH_BOTH;
  return points >= ENOUGH_WITH_ONE && (hasNumber || hasStock);
}

/** The home page and the pages of the checkout. */
const OTHER_PATH =
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:$|\?)|\/(?:cart|checkout|basket|warenkorb|panier|carrito|carrello|wishlist|account|login)(?:[/?.]|$)/i;

/** Adds up the evidence for and against a page that sells one product. */
function productPoints(signs: ProductSigns): number {
  const { area, control, price, number, stock } = signs;
  let points = 0;
  if (control) points += control.offer === 'buy' || control.offer === 'sold-out' ? 1 : 2;
  if (price) points += price.score >= 6 ? 2.5 : price.score >= 5 ? 1.5 : 0.5;
  if (price) points += ofPlace(price, area);
  if (number) points += number.isOwn ? 1.5 : 0.5;
  if (stock?.isStated) points += 1;
  if (area.titles.length === 0) points -= 1;
  return points + ofPage(signs) + ofTitle(signs) + ofOffers(signs);
}

/**
 * Whether the shop names the part around the title after a product. So do 24 of 66 real product pages, and one of 1,378
 * others.
 */
function isNamedProduct({ area, boxes }: ProductSigns): boolean {
  for (const box of outward(area.titles[0])) if (box !== boxes.body && (box.names & Name.Product) !== 0) return true;
  return false;
}

/** A title named like that of a product is on 30 of 66 real product pages, and on 16 of 1,378 others. */
function ofTitle(signs: ProductSigns): number {
  const { area, boxes } = signs;
  const [title] = area.titles;
  if (title === undefined) return 0;
  const names = [title, title.parent, innermostOf(title, boxes)].map((box) => namesOf(box));
  return (names.some((name) => PRODUCT_TITLE.test(name)) ? 1 : 0) + (isNamedProduct(signs) ? 1.5 : 0);
}

/** The element with the text of the title. */
function innermostOf(title: Box, { lines }: PageBoxes): Box | undefined {
  return lines.find(({ start }) => start >= title.start)?.runs[0]?.box;
}

function namesOf(box: Box | undefined): string {
  const attributes = box?.element.attributes;
  return `${attributes?.class ?? ''} ${attributes?.id ?? ''} ${attributes?.get('data-testid') ?? ''} ${attributes?.get('data-hook') ?? ''}`;
}

function ofPlace({ candidate: { offset, line, written } }: FoundPrice, area: ProductArea): number {
  if (Math.abs(area.distanceFromTitle(offset)) > CLOSE) return 0;
  return line.text.length - written.length <= MAX_BESIDE ? 1.5 : 0.5;
}

function ofPage({ boxes, url, signs }: ProductSigns): number {
  const path = pathOf(url);
  let points = 0;
  if (isProductBody({ boxes })) points += 2;
  else if (LIST_BODY.test(bodyNames(boxes))) points -= 2;
  if (PRODUCT_PATH.test(path)) points += 1.5;
  else if (OTHER_PATH.test(path)) points -= 3;
  else if (LIST_PATH.test(path)) points -= 1;
  if (signs.isProduct) points += 2;
  if (signs.isOther) points -= 2;
  if (signs.isArticle) points -= 1;
  return points;
}

/** Whether the price is in a form, as on pages where visitors choose and order a product. */
function isInForm({ price }: ProductSigns): boolean {
  for (const { element } of outward(price?.candidate.box)) if (element.name === 'form') return true;
  return false;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function isProductBody({ boxes }: Pick<ProductSigns, 'boxes'>): boolean {
  return PRODUCT_BODY.test(bodyNames(boxes));
}

function bodyNames({ body }: PageBoxes): string {
  const { class: names = '', id = '' } = body?.element.attributes ?? {};
  return `${names} ${id}`;
}

/** Subtracts points for several equal offers, which suggest a list. */
function ofOffers({ controls, control, area, candidates, price }: ProductSigns): number {
  let points = 0;
  const own = controls.filter(({ box, offer }) => offer !== 'sold-out' && !area.isForeign(box));
  if (own.length > 3) points -= 1;
  if (control === undefined && price && price.score < 6) points -= 1;
  const near = price && area.commonWithTitle(price.candidate.box);
  const inPart = candidates.filter(
    ({ box }) => near && box.start >= near.start && box.end <= near.end && !area.isForeign(box),
  );
  if (inPart.length > 20) points -= 1.5;
  if (price && (area.namesAround(price.candidate.box) & Name.Product) !== 0) points += 0.5;
  return points;
}
