import { lettersOf } from '../letters.ts';
import { isRecord } from '../structured/json.ts';
import { cleanText, scalarText } from './clean-text.ts';
import { type DraftVariant, type Finding, MAX_TITLE, MAX_VARIANTS } from './draft.ts';
import { readPrice } from './price.ts';

type Fields = Record<string, unknown>;

/**
 * The product that a page reports to its tag manager as the one being looked at: the event `view_item` of Google
 * Analytics 4 (`ecommerce.items`), or the older `ecommerce.detail.products`. Lists, carts and clicks are ignored.
 * Several items count as variants of one product when they share a name.
 */
export function readDataLayerProduct(entries: readonly Fields[]): Finding {
  const views = entries.map(viewedIn).filter((view) => view !== undefined);
  const items = views.flatMap(({ items }) => items);
  const titles = new Map(items.map((item) => [lettersOf(titleOf(item)), titleOf(item)]));
  titles.delete('');
  if (titles.size > 1)
    return {
      problem: `its data layer reports several (${[...titles.values()].slice(0, 3).join(', ')}) as the one that is looked at`,
    };
  const [title] = titles.values();
  const [first] = items;
  if (title === undefined || !first) return undefined;
  const variants = views.flatMap(({ items, currency }) => items.map((item) => variantOf(item, currency)));
  const distinct = new Map(
    variants.slice(0, MAX_VARIANTS).map((variant) => [JSON.stringify([variant.id, variant.title]), variant]),
  );
  return {
    draft: {
      title,
      brand: cleanText(scalarText(first.item_brand) ?? scalarText(first.brand), MAX_TITLE),
      category: cleanText(scalarText(first.item_category) ?? scalarText(first.category), MAX_TITLE),
      variants: [...distinct.values()],
    },
  };
}

function viewedIn({ event, ecommerce }: Fields): { items: Fields[]; currency: string | undefined } | undefined {
  if (!isRecord(ecommerce)) return undefined;
  const currency = scalarText(ecommerce.currency) ?? scalarText(ecommerce.currencyCode);
  const { detail } = ecommerce;
  const viewed = isRecord(detail) ? detail.products : event === 'view_item' ? ecommerce.items : undefined;
  return Array.isArray(viewed) ? { items: viewed.filter(isRecord), currency } : undefined;
}

function titleOf(item: Fields): string | undefined {
  return cleanText(scalarText(item.item_name) ?? scalarText(item.name), MAX_TITLE);
}

function variantOf(item: Fields, currency: string | undefined): DraftVariant {
  const { price } = item;
  return {
    id: scalarText(item.item_id) ?? scalarText(item.id),
    title: cleanText(scalarText(item.item_variant) ?? scalarText(item.variant), MAX_TITLE),
    price:
      typeof price === 'string' || typeof price === 'number'
        ? readPrice(price, scalarText(item.currency) ?? currency)
        : undefined,
  };
}
