import { createHash } from 'node:crypto';
import type { Product } from '../../src/content/page-content.ts';
import { parseHtml } from '../../src/content/parse-html.ts';
import { readEvidence } from '../../src/content/product/evidence.ts';
import { readMarkedProduct } from '../../src/content/product/marked-product.ts';
import { finished } from '../../src/content/product/merge.ts';
import { readPage } from '../../src/content/read-page.ts';
import { readStructuredData } from '../../src/content/structured/read-structured-data.ts';
import { domainOf } from '../content/folds.ts';
import { type LabelledPage, readHtml } from '../content/labelled-pages.ts';
import { OPTIONS } from '../content/trawl.ts';
import { compareProducts, type Outcome } from './compare.ts';
import { hideData } from './hide-data.ts';

/** Pages are split by domain. The reader was developed on one half; the other half is only used to measure it. */
export const HALVES = ['development domains', 'held-out domains'] as const;
export type Half = (typeof HALVES)[number];

export interface TaskOutcome {
  page: LabelledPage;
  half: Half;
  /** Read from the structured data alone. */
  marked: Product | undefined;
  /** Read with the structured data hidden. */
  visible: Product | undefined;
  /** Read from both. */
  combined: Product | undefined;
  outcomes: Outcome[];
}

export function readProductPage(folder: string, page: LabelledPage): TaskOutcome {
  const url = page.url || 'https://example.com/page';
  const html = readHtml(folder, page.id).toString();
  const hidden = hideData(html);
  const marked = markedProduct(html, url);
  const visible = productOf(hidden, url);
  return {
    page,
    half: halfOf(url),
    marked,
    visible,
    combined: productOf(html, url),
    outcomes: marked ? compareProducts(marked, visible, hidden) : [],
  };
}

function markedProduct(html: string, url: string): Product | undefined {
  const tree = parseHtml(html, url);
  const evidence = readEvidence(tree, { html, url });
  const marked = readMarkedProduct(readStructuredData(tree), evidence);
  if (!('draft' in marked && marked.isOffered)) return undefined;
  // A shop need not show the manufacturer's number.
  const variants = marked.draft.variants.map((variant) => ({ ...variant, mpn: undefined }));
  return finished({ ...marked.draft, variants }, marked.title, evidence.url);
}

function productOf(html: string, url: string): Product | undefined {
  return readPage({ html, url }, { ...OPTIONS, formats: ['product'], onlyMainContent: false }).product;
}

/** All pages of a domain are in the same half. */
function halfOf(url: string): Half {
  return createHash('md5').update(domainOf(url)).digest().readUInt8(1) % 2 === 0
    ? 'development domains'
    : 'held-out domains';
}
