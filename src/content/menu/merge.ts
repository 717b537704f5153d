import { lettersOf } from '../letters.ts';
import type { Menu, MenuItem } from '../page-content.ts';
import type { DraftItem, DraftSection, MenuDraft } from './draft.ts';

/**
 * Fills in what `draft` omits from a source of lower priority. Items are filled in when both have exactly one of that
 * name.
 */
export function fillGaps(draft: MenuDraft, other: MenuDraft): MenuDraft {
  const merchant = draft.merchant ?? other.merchant;
  const address = draft.address ?? other.address;
  if (draft.sections.length === 0) return { merchant, address, sections: other.sections };
  if (other.sections.length === 0 || isAnother(draft, other)) return { ...draft, merchant, address };
  const [own, others] = [itemsByName(draft.sections), itemsByName(other.sections)];
  const sections = draft.sections.map((section) => ({
    ...section,
    items: section.items.map((item) => {
      const name = lettersOf(item.name);
      const [match, ...further] = others.get(name) ?? [];
      return match && further.length === 0 && own.get(name)?.length === 1 ? fillItem(item, match) : item;
    }),
  }));
  return { merchant, address, sections };
}

function isAnother({ merchant }: MenuDraft, { merchant: other }: MenuDraft): boolean {
  return merchant !== undefined && other !== undefined && lettersOf(merchant.name) !== lettersOf(other.name);
}

function itemsByName(sections: readonly DraftSection[]): Map<string, DraftItem[]> {
  return Map.groupBy(
    sections.flatMap(({ items }) => items),
    ({ name }) => lettersOf(name),
  );
}

function fillItem(item: DraftItem, other: DraftItem): DraftItem {
  return {
    name: item.name,
    id: item.id ?? other.id,
    description: item.description ?? other.description,
    images: item.images ?? other.images,
    price: item.price ?? other.price,
    availability: item.availability ?? other.availability,
    dietary: item.dietary?.length ? item.dietary : other.dietary,
    calories: item.calories ?? other.calories,
    url: item.url ?? other.url,
  };
}

/** The draft in the shape of the contract. Missing ids become positions on the menu: `2`, `2.1`. */
export function finished({ sections }: MenuDraft, merchant: Menu['merchant'], pageUrl: string): Menu {
  const currency = onlyCurrency(sections);
  return {
    isMenu: true,
    // Never guesses: in doubt, there is no menu.
    confidence: 1,
    merchant,
    ...(currency === undefined ? {} : { currency }),
    sections: sections.map(({ name, description, items }, section) => ({
      id: `${section + 1}`,
      name,
      ...(description === undefined ? {} : { description }),
      items: items.map((item, index) => finishedItem(item, `${section + 1}.${index + 1}`, pageUrl)),
    })),
    sourceUrl: pageUrl,
  };
}

function finishedItem(item: DraftItem, place: string, pageUrl: string): MenuItem {
  const { name, id, description, images = [], price, availability, dietary = [], calories, url } = item;
  return {
    id: id ?? place,
    name,
    ...(description === undefined ? {} : { description }),
    images,
    ...(price === undefined ? {} : { price }),
    // An item on a menu can be ordered unless it says otherwise.
    availability: availability ?? { inStock: true },
    dietary,
    ...(calories === undefined ? {} : { calories }),
    optionGroups: [],
    identifiers: id === undefined ? {} : { merchantItemId: id },
    ...(url === undefined ? {} : { url }),
    sourceUrl: pageUrl,
  };
}

function onlyCurrency(sections: readonly DraftSection[]): string | undefined {
  const currencies = new Set(sections.flatMap(({ items }) => items.map(({ price }) => price?.currency)));
  currencies.delete(undefined);
  const [currency] = currencies;
  return currencies.size === 1 ? currency : undefined;
}
