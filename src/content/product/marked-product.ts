import type { StructuredData } from '../structured/read-structured-data.ts';
import { categoryFromBreadcrumbs } from './category.ts';
import { readDataLayerProduct } from './data-layer-product.ts';
import type { Draft, Finding } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { findProduct } from './main-product.ts';
import { fillGaps } from './merge.ts';
import { readOpenGraphProduct } from './open-graph-product.ts';
import { readStateProduct } from './state-product.ts';

/** The product in the structured data of a page, or why there is none. */
export type MarkedProduct = { draft: Draft; title: string; isOffered: boolean } | { warning: string };

/**
 * Reads the product of a page from its structured data alone: JSON-LD, then microdata, RDFa, embedded state, the data
 * layer and Open Graph. A later source only adds what the earlier ones do not say about the same product. Fails closed:
 * if a source describes several products and the page does not say which one is meant, there is no product.
 */
export function readMarkedProduct(structured: StructuredData, evidence: Evidence): MarkedProduct {
  const findings: Finding[] = [
    findProduct(structured.jsonLd, evidence),
    findProduct(structured.microdata, evidence),
    findProduct(structured.rdfa, evidence),
    readStateProduct(structured.embeddedState, evidence),
    readDataLayerProduct(structured.dataLayer),
    readOpenGraphProduct(structured.openGraph, evidence.baseUrl),
  ];
  let draft: Draft | undefined;
  for (const finding of findings) {
    if (!finding) continue;
    if ('problem' in finding) {
      if (!draft) return { warning: `The page gives no single product: ${finding.problem}.` };
    } else if (finding.draft.title !== undefined) {
      draft = draft ? fillGaps(draft, finding.draft) : finding.draft;
    }
  }
  if (draft?.title === undefined) {
    return {
      warning: 'The page carries no data that describes one product, and does not look like one that sells one.',
    };
  }
  const things = [...structured.jsonLd, ...structured.microdata, ...structured.rdfa];
  const category = draft.category ?? categoryFromBreadcrumbs(things, draft.title, evidence);
  return { draft: { ...draft, category }, title: draft.title, isOffered: isOffered(draft) };
}

/**
 * Whether there is something to buy. Pages about services and listings also mark themselves as products, to get stars
 * in search results.
 */
function isOffered({ variants }: Draft): boolean {
  return variants.some(({ price, availability, sku, id }) => price ?? availability ?? sku ?? id);
}
