import { readHead } from '../../metadata/head.ts';
import type { PageInput } from '../../page-content.ts';
import type { PageTree } from '../../tree.ts';
import { cleanText } from '../clean-text.ts';
import { type Draft, MAX_TITLE } from '../draft.ts';
import type { Evidence } from '../evidence.ts';
import { amountsIn } from './amounts.ts';
import { type FoundNumber, findNumber } from './article-number.ts';
import { readAudience } from './audience.ts';
import { findBrand } from './brand.ts';
import { findBuyControls, mainControl } from './buy-controls.ts';
import { shownCategory } from './category.ts';
import { shownImages } from './gallery.ts';
import { moneyLocale } from './money-locale.ts';
import { type Box, readBoxes, shownText } from './page-boxes.ts';
import { type PageSigns, sellsProduct } from './page-signs.ts';
import { findTitles, titleAbove } from './page-title.ts';
import { priceCandidates } from './price-candidates.ts';
import { choosePrice, type FoundPrice } from './prices.ts';
import { ProductArea } from './product-area.ts';
import { type FoundStock, findStock } from './stock.ts';

/** What a page shows about the one product that it may sell. */
export interface VisibleProduct {
  draft: Draft;
  price: FoundPrice | undefined;
  number: FoundNumber | undefined;
  stock: FoundStock | undefined;
  /** All amounts of money that the page shows. */
  amounts: ReadonlySet<number>;
  /** Whether the page shows a text as a whole word. */
  mentions(text: string): boolean;
  /** Whether the page sells this one product, judging by everything that is visible. */
  isSold: boolean;
}

export interface VisibleHints {
  evidence: Evidence;
  /** The currency that the page declares in its structured data. */
  currency: string | undefined;
  signs: PageSigns;
}

/**
 * Reads what visitors see of a product: title, price, number, stock, brand, category and pictures. Takes 5 to 50 ms on
 * a shop page, in proportion to its size, so it runs only when a product is requested.
 */
export function readVisibleProduct(tree: PageTree, page: PageInput, hints: VisibleHints): VisibleProduct {
  const boxes = readBoxes(tree);
  const head = readHead(tree);
  const meta = (name: string) => head.tags.find((tag) => tag.name.toLowerCase() === name)?.content;
  const socialTitles = [meta('og:title'), meta('twitter:title')].filter((title) => title !== undefined);
  const named = findTitles(boxes, { titles: head.titles, socialTitles, siteName: meta('og:site_name') });

  const amounts = boxes.lines.flatMap(amountsIn);
  const locale = moneyLocale(
    readAudience(head, page.url, page.contentLanguage),
    amounts.filter(({ sign }) => sign !== undefined).map(({ digits }) => digits),
    hints.currency,
  );
  const candidates = priceCandidates(amounts, boxes.lines, locale);
  const controls = findBuyControls(boxes);
  const offers = {
    prices: candidates.filter(({ isOther, isPerMeasure }) => !isOther && !isPerMeasure).map(({ box }) => box),
    buttons: controls.map(({ box }) => box),
  };
  const areaOf = (titles: readonly Box[]) => new ProductArea(boxes, titles, offers, page.url);
  const titles = named.length > 0 ? named : titleAbove(boxes, mainControl(controls, areaOf([]))?.box);
  const area = areaOf(titles);
  const control = mainControl(controls, area);
  const price = choosePrice(candidates, area, control);
  const number = findNumber(boxes.lines, area);
  const stock = findStock(boxes.lines, area, control);
  const [title] = titles;
  const name = title && cleanText(shownText(title, MAX_TITLE), MAX_TITLE);
  const signs = { boxes, area, control, controls, candidates, price, number, stock, url: page.url, signs: hints.signs };
  return {
    draft: {
      title: name,
      brand: findBrand(boxes, area),
      category: shownCategory(boxes, name, hints.evidence),
      variants: [
        {
          sku: number?.value,
          price: price?.price,
          sale: price?.sale,
          availability: stock?.availability,
          images: shownImages(boxes, area, name, tree.baseUrl),
        },
      ],
    },
    price,
    number,
    stock,
    amounts: new Set(candidates.map(({ value }) => value)),
    mentions: (text) => boxes.lines.some((line) => mentions(line.text, text)),
    isSold: sellsProduct(signs),
  };
}

function mentions(line: string, text: string): boolean {
  const at = line.toLowerCase().indexOf(text.toLowerCase());
  return (
    at !== -1 && !/[\p{L}\p{N}]/u.test(line.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(line.charAt(at + text.length))
  );
}
