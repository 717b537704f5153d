import type { PageTree } from '../tree.ts';
import { readMicrodata, readRdfa } from './attribute-items.ts';
import { readDataLayer } from './data-layer.ts';
import { readEmbeddedState } from './embedded-state.ts';
import { readJsonLd } from './json-ld.ts';
import { readOpenGraph } from './open-graph.ts';
import { readScripts } from './scripts.ts';
import { readShopState, type ShopState } from './shop-state.ts';
import type { Thing } from './thing.ts';

/** The machine-readable data of a page. `things` are the top-level ones, with their parts nested. */
export interface StructuredData {
  jsonLd: Thing[];
  microdata: Thing[];
  rdfa: Thing[];
  /** The state that the page was rendered from, in any shape. */
  embeddedState: unknown[];
  /** The data for tag managers. */
  dataLayer: Record<string, unknown>[];
  /** The variants in the shop system's own state on the page. */
  shop: ShopState | undefined;
  /** `og:*` and `product:*` tags by lower-case name. */
  openGraph: Map<string, string[]>;
}

/**
 * Reads all machine-readable data of a page. Never throws. Takes 1 to 20 ms on a shop page, so it runs only when
 * requested.
 */
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
