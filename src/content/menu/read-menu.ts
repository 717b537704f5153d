import type { Menu, PageInput } from '../page-content.ts';
import { cleanText } from '../product/clean-text.ts';
import { MAX_TITLE } from '../product/draft.ts';
import { readEvidence } from '../product/evidence.ts';
import type { StructuredData } from '../structured/read-structured-data.ts';
import type { PageTree } from '../tree.ts';
import type { MenuDraft, MenuFinding } from './draft.ts';
import { findMenu } from './main-menu.ts';
import { fillGaps, finished } from './merge.ts';
import { readStateMenu } from './state-menu.ts';

export interface MenuReading {
  menu?: Menu;
  /** Why there is no menu. */
  warning?: string;
}

/**
 * The menu of the restaurant that a page is about, from its structured data alone: JSON-LD, else microdata, else RDFa,
 * else embedded state; a lower source only fills in what the higher ones omit, and Open Graph can name the restaurant.
 * Fails closed: if a source describes several and the page does not say which is meant, there is none.
 */
export function readMenu(tree: PageTree, structured: StructuredData, page: PageInput): MenuReading {
  const evidence = readEvidence(tree, page);
  const described = [structured.jsonLd, structured.microdata, structured.rdfa].map((things) =>
    findMenu(things, evidence),
  );
  const isRestaurant = described.some((finding) => finding !== undefined) || isRestaurantPage(structured.openGraph);
  const findings: MenuFinding[] = [...described, readStateMenu(structured.embeddedState, evidence, isRestaurant)];
  let draft: MenuDraft = { sections: [] };
  for (const finding of findings) {
    if (!finding) continue;
    if ('draft' in finding) draft = fillGaps(draft, finding.draft);
    else if (draft.sections.length === 0) return { warning: `The page gives no single menu: ${finding.problem}.` };
  }
  if (draft.sections.length === 0) return { warning: withoutItems(draft) };
  const merchant = draft.merchant ?? siteOf(structured);
  if (!merchant) return { warning: 'The page carries a menu, but does not say whose it is.' };
  return { menu: finished(draft, merchant, page.url) };
}

/** Open Graph types of restaurants and their menus. */
function isRestaurantPage(openGraph: StructuredData['openGraph']): boolean {
  return (openGraph.get('og:type') ?? []).some((type) => /(?:^|[:.])restaurant\b/i.test(type));
}

/**
 * A menu that names no restaurant belongs to the site. This does not hold for embedded state, which delivery services
 * for many restaurants use.
 */
function siteOf({ openGraph, embeddedState }: StructuredData): Menu['merchant'] | undefined {
  const name = embeddedState.length > 0 ? undefined : cleanText(openGraph.get('og:site_name')?.[0], MAX_TITLE);
  return name === undefined ? undefined : { name };
}

function withoutItems({ merchant, address }: MenuDraft): string {
  if (!merchant) return 'The page carries no data that describes a menu.';
  const elsewhere = address === undefined ? '' : ` Its menu is said to be at ${address}.`;
  return `The page describes ${merchant.name}, but no menu with items.${elsewhere}`;
}
