import type { PageInput, Product } from '../page-content.ts';
import type { StructuredData } from '../structured/read-structured-data.ts';
import { hasType } from '../structured/thing.ts';
import type { PageTree } from '../tree.ts';
import type { Draft } from './draft.ts';
import { readEvidence } from './evidence.ts';
import { type MarkedProduct, readMarkedProduct } from './marked-product.ts';
import { finished } from './merge.ts';
import { withShopVariants } from './shop-variants.ts';
import { shownVariantFirst } from './variant-order.ts';
import { readVisibleProduct, type VisibleProduct } from './visible/read-visible-product.ts';
import { withVisible } from './with-visible.ts';

export interface ProductReading {
  product?: Product;
  /** Why there is no product. */
  warning?: string;
}

/** The schema.org types of pages that are not about a product, such as articles and lists. */
const OTHER_PAGES = new Set([
  'article',
  'newsarticle',
  'blogposting',
  'techarticle',
  'recipe',
  'howto',
  'collectionpage',
  'searchresultspage',
  'discussionforumposting',
  'qapage',
  'jobposting',
]);

/**
 * Reads the product that a page is about from its structured data, and from what visitors see where the data says
 * nothing or contradicts the page. Fails closed: there is no product if the data describes several and the page does
 * not say which one is meant, or if there is little evidence that the page sells one product.
 */
export function readProduct(tree: PageTree, structured: StructuredData, page: PageInput): ProductReading {
  const evidence = readEvidence(tree, page);
  const marked = readMarkedProduct(structured, evidence);
  const visible = readVisibleProduct(tree, page, {
    evidence,
    currency: currencyOf(marked, structured),
    signs: {
      isOther: [...structured.jsonLd, ...structured.microdata].some((thing) => hasType(thing, OTHER_PAGES)),
      isArticle: structured.openGraph.get('og:type')?.some((type) => type.toLowerCase() === 'article') ?? false,
      isProduct: 'draft' in marked,
    },
  });
  const { draft, title, warning } = chosen(marked, visible);
  if (title === undefined) return { warning };
  const whole = withShopVariants(draft, structured.shop, page.url, tree.baseUrl);
  const variants = shownVariantFirst(whole.variants, page.url, visible);
  return { product: finished({ ...whole, variants }, title, evidence.url) };
}

type Choice = { draft: Draft; title: string; warning?: never } | { draft?: never; title?: never; warning: string };

function chosen(marked: MarkedProduct, visible: VisibleProduct): Choice {
  if ('draft' in marked && (marked.isOffered || visible.isSold)) {
    return { draft: withVisible(marked.draft, visible), title: marked.title };
  }
  const { title } = visible.draft;
  if ('warning' in marked) return visible.isSold && title !== undefined ? { draft: visible.draft, title } : marked;
  return {
    warning: `The page names a product (${marked.title}), but neither a price nor stock nor an article number.`,
  };
}

function currencyOf(marked: MarkedProduct, { openGraph }: StructuredData): string | undefined {
  const declared = openGraph.get('product:price:currency')?.[0] ?? openGraph.get('og:price:currency')?.[0];
  if (declared !== undefined || 'warning' in marked) return declared;
  return marked.draft.variants.find(({ price }) => price?.currency !== undefined)?.price?.currency;
}
