import type { PageTree } from '../tree.ts';
import { readMicrodata, readRdfa } from './attribute-items.ts';
import { readDataLayer } from './data-layer.ts';
import { readEmbeddedState } from './embedded-state.ts';
import { readJsonLd } from './json-ld.ts';
import { readOpenGraph } from './open-graph.ts';
import { readScripts } from './scripts.ts';
import { readShopState, type ShopState } from './shop-state.ts';
import type { Thing } from './thing.ts';

/** What a page says for machines. The things are those at the top; what they contain hangs below them. */
export interface StructuredData {
  jsonLd: Thing[];
  microdata: Thing[];
  rdfa: Thing[];
  /** What the page's application was rendered from, of any shape. */
  embeddedState: unknown[];
  /** What the page tells tag managers. */
  dataLayer: Record<string, unknown>[];
  /** The variants in the shop system's own state on the page. */
  shop: ShopState | undefined;
  /** `og:*` and `product:*` tags by lower-case name. */
  openGraph: Map<string, string[]>;
}

/** Reads everything that a page says for machines. Never throws; takes 1 to 20 ms on a shop's page, so only when asked. */
export function readStructuredData(tree: PageTree): StructuredData {
  const scripts = readScripts(tree);
  return {
    jsonLd: readJsonLd(scripts.jsonLd),
    microdata: readMicrodata(tree),
    rdfa: readRdfa(tree),
    embeddedState: readEmbeddedState(scripts),
    dataLayer: readDataLayer(scripts.javaScript),
    shop: readShopState(tree, scripts),
    openGraph: readOpenGraph(tree),
  };
}
