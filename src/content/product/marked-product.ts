import type { StructuredData } from '../structured/read-structured-data.ts';
import { categoryFromBreadcrumbs } from './category.ts';
import { readDataLayerProduct } from './data-layer-product.ts';
import type { Draft, Finding } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { findProduct } from './main-product.ts';
import { fillGaps } from './merge.ts';
import { readOpenGraphProduct } from './open-graph-product.ts';
import { readStateProduct } from './state-product.ts';

/** What the data of a page says of its product, or why that is none. */
export type MarkedProduct = { draft: Draft; title: string; isOffered: boolean } | { warning: string };

/**
 * The product of a page by its structured data alone: JSON-LD, else microdata, else RDFa, else embedded state, else the
 * data layer, else Open Graph; a lower source only fills what the higher ones leave open about the same product.
 * Fails closed: where a source describes several and the page does not say which is meant, there is none.
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

/** Pages of services and listings mark themselves as products to show stars in search results; there is nothing to buy. */
function isOffered({ variants }: Draft): boolean {
  return variants.some(({ price, availability, sku, id }) => price ?? availability ?? sku ?? id);
}
