import type { MenuItem, MenuMerchant } from '../page-content.ts';

/** What one source says about the page's menu: who offers it, what is on it, or only one of the two. */
export interface MenuDraft {
  merchant?: MenuMerchant | undefined;
  /** The address of the menu, when the source gives only that. */
  address?: string | undefined;
  sections: DraftSection[];
}

export interface DraftSection {
  name: string;
  description?: string | undefined;
  items: DraftItem[];
}

export interface DraftItem {
  name: string;
  /** The merchant's own. */
  id?: string | undefined;
  description?: string | undefined;
  images?: MenuItem['images'] | undefined;
  price?: MenuItem['price'] | undefined;
  availability?: MenuItem['availability'] | undefined;
  dietary?: string[] | undefined;
  calories?: number | undefined;
  url?: string | undefined;
}

/** A source gives the menu, or the reason why it cannot. Most give neither. */
export type MenuFinding = { draft: MenuDraft } | { problem: string } | undefined;

/** The longest menus of delivery services have about 60 sections and 1,500 items. */
export const MAX_SECTIONS = 500;
export const MAX_ITEMS = 5_000;
/** Sections inside sections, as "Drinks", "Wine", "Red". */
export const MAX_SECTION_DEPTH = 4;

/** A section, by the names of the sections around it. */
export function sectionName(...names: (string | undefined)[]): string | undefined {
  return names.filter((name) => name !== undefined).join(' > ') || undefined;
}

/** The sections that have items, each item once, up to the limit. */
export function boundedSections(sections: readonly DraftSection[]): DraftSection[] {
  let left = MAX_ITEMS;
  const bounded: DraftSection[] = [];
  for (const section of sections) {
    const items = section.items.slice(0, left);
    left -= items.length;
    if (items.length > 0 && bounded.length < MAX_SECTIONS) bounded.push({ ...section, items });
  }
  return bounded;
}

/** The first names of a list that is too long for a sentence. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
