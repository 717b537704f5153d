import { lettersOf } from '../letters.ts';
import type { Price } from '../page-content.ts';
import { cleanText, scalarText } from '../product/clean-text.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from '../product/draft.ts';
import type { Evidence } from '../product/evidence.ts';
import { readMoney } from '../product/money.ts';
import { readPrice } from '../product/price.ts';
import { type Fields, field, imagesOf, nodesOf, stockOf } from '../product/state-variants.ts';
import { isRecord } from '../structured/json.ts';
import {
  boundedSections,
  type DraftItem,
  type DraftSection,
  MAX_ITEMS,
  MAX_SECTIONS,
  type MenuFinding,
  sectionName,
} from './draft.ts';
import { readCalories } from './thing-menu.ts';

/** As for products: the largest states have about 100,000 values. */
const MAX_VISITS = 200_000;
const MAX_DEPTH = 24;

/** Names of fields across ordering systems, the most specific first. */
const NAMES = ['name', 'title', 'displayName', 'itemName'];
const ITEM_LISTS = ['menuItems', 'items', 'dishes', 'products', 'catalogItems'];
const PRICES = [
  'formattedPrice',
  'displayPrice',
  'priceFormatted',
  'priceDisplay',
  'priceString',
  'price',
  'basePrice',
  'unitPrice',
  'unitAmount',
];
/** Fields whose name says that the amount is in hundredths. */
const PRICES_IN_CENTS = ['priceInCents', 'priceCents', 'price_in_cents', 'price_cents'];
const STOCK = ['available', 'isAvailable', 'inStock', 'isInStock', 'availability'];
const SOLD_OUT = ['soldOut', 'isSoldOut', 'outOfStock', 'isOutOfStock', 'unavailable'];
/**
 * A field with one of these names holds food, not the goods of a shop. Navigation is recognised by its lack of prices.
 */
const MENU_WORD = /menu|dish/i;

interface Found {
  sections: DraftSection[];
  /** The closest name above that is in the page's title. */
  merchant: string | undefined;
}

interface Place {
  value: unknown;
  merchant: string | undefined;
  isMenu: boolean;
}

/**
 * The menu in the state that an application was rendered from: a list of named sections whose items have a name and, in
 * most cases, an unambiguous price. It must be under a name that denotes a menu, or on the page of a restaurant.
 * Repeated parts of a menu ("popular") do not count, but a list with other items makes it ambiguous.
 * @param isRestaurant whether other data of the page says that it is about one
 */
export function readStateMenu(states: readonly unknown[], evidence: Evidence, isRestaurant: boolean): MenuFinding {
  const found = candidatesIn(states, evidence, isRestaurant);
  const [largest, ...others] = found.toSorted((a, b) => itemCount(b) - itemCount(a));
  if (!largest) return undefined;
  const names = new Set(itemNames(largest));
  const other = others.find((candidate) => itemNames(candidate).some((name) => !names.has(name)));
  if (other) {
    return {
      problem: `the state it was rendered from holds several, one with ${itemCount(largest)} items and one with ${itemCount(other)}`,
    };
  }
  const merchant = [largest, ...others].map((each) => each.merchant).find((name) => name !== undefined);
  return {
    draft: {
      merchant: merchant === undefined ? undefined : { name: merchant },
      sections: boundedSections(largest.sections),
    },
  };
}

/** Lists of sections, breadth first. They do not nest. */
function candidatesIn(states: readonly unknown[], evidence: Evidence, isRestaurant: boolean): Found[] {
  const found: Found[] = [];
  let level: Place[] = states.map((value) => ({ value, merchant: undefined, isMenu: isRestaurant }));
  let visits = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: Place[] = [];
    for (const place of level) {
      if (++visits > MAX_VISITS) return found;
      const sections = place.isMenu ? sectionsOf(place.value, evidence.baseUrl) : [];
      if (sections.length > 0) found.push({ sections, merchant: place.merchant });
      else next.push(...placesBelow(place, evidence));
    }
    level = next;
  }
  return found;
}

function placesBelow({ value, merchant, isMenu }: Place, evidence: Evidence): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isRecord(value) ? (merchantName(value, evidence) ?? merchant) : merchant;
  return Object.entries(value)
    .filter(([, child]) => typeof child === 'object' && child !== null)
    .map(([key, child]) => ({ value: child, merchant: own, isMenu: isMenu || MENU_WORD.test(key) }));
}

/** A name that is in the page's title, as in "Order from Luigi's | Service". */
function merchantName(fields: Fields, { titles }: Evidence): string | undefined {
  const name = cleanText(scalarText(field(fields, NAMES)), MAX_TITLE);
  const letters = lettersOf(name);
  return letters.length >= 3 && [...titles].some((title) => title.includes(letters)) ? name : undefined;
}

/** The sections in a list of sections, or in a list of menus with sections; none for anything else. */
function sectionsOf(value: unknown, baseUrl: string): DraftSection[] {
  const listed = nodesOf(value).slice(0, MAX_SECTIONS);
  const rows = listed.flatMap((entry) => rowsOf(entry, undefined));
  if (rows.length === 0) return [];
  const items = rows.flatMap((row) => row.items).slice(0, MAX_ITEMS);
  const areUnits = items.some((item) => isDecimal(item.price));
  const sections = rows.map(({ section, name, items: own }) => ({
    name,
    description: cleanText(scalarText(field(section, ['description', 'subtitle'])), MAX_DESCRIPTION),
    items: own.map((item) => readItem(item, areUnits, baseUrl)).filter((item) => item !== undefined),
  }));
  const read = sections.flatMap((section) => section.items);
  const priced = read.filter(({ price }) => price !== undefined);
  return 2 * priced.length > read.length ? sections : [];
}

interface Row {
  section: Fields;
  name: string;
  items: Fields[];
}

const SECTION_LISTS = ['menuSections', 'menuCategories', 'sections', 'categories', 'subSections', 'subCategories'];
const MAX_NESTING = 3;

function rowsOf(section: Fields, prefix: string | undefined, depth = 0): Row[] {
  const name = sectionName(prefix, cleanText(scalarText(field(section, NAMES)), MAX_TITLE));
  if (name === undefined || depth > MAX_NESTING) return [];
  const items = nodesOf(field(section, ITEM_LISTS)).slice(0, MAX_ITEMS);
  const inner = nodesOf(field(section, SECTION_LISTS)).slice(0, MAX_SECTIONS);
  return [
    ...(items.length > 0 && items.every(isItem) ? [{ section, name, items }] : []),
    ...inner.flatMap((each) => rowsOf(each, name, depth + 1)),
  ];
}

function isItem(item: Fields): boolean {
  return scalarText(field(item, NAMES)) !== undefined && field(item, [...PRICES, ...PRICES_IN_CENTS]) !== undefined;
}

function readItem(item: Fields, areUnits: boolean, baseUrl: string): DraftItem | undefined {
  const name = cleanText(scalarText(field(item, NAMES)), MAX_TITLE);
  if (name === undefined) return undefined;
  return {
    name,
    id: scalarText(field(item, ['id', 'itemId', 'uuid', 'sku'])),
    description: cleanText(scalarText(field(item, ['description', 'itemDescription'])), MAX_DESCRIPTION),
    images: imagesOf({ ...item, image: field(item, ['image', 'imageUrl', 'imageURL', 'photo']) }, baseUrl),
    price: priceOf(item, areUnits),
    availability: availabilityOf(item),
    calories: readCalories(scalarText(item.calories)),
  };
}

function availabilityOf(item: Fields): DraftItem['availability'] {
  const soldOut = field(item, SOLD_OUT);
  if (typeof soldOut === 'boolean') return stockOf(!soldOut);
  return stockOf(field(item, STOCK));
}

/** @param areUnits a price of this menu has decimals, so its whole numbers are not cents */
function priceOf(item: Fields, areUnits: boolean): Price | undefined {
  const currency = scalarText(field(item, ['currency', 'currencyCode', 'priceCurrency']));
  for (const name of PRICES) {
    const price = readMoney(item[name], currency);
    if (price) return price;
  }
  const inCents = field(item, PRICES_IN_CENTS);
  if (typeof inCents === 'number') return readPrice(inCents / 100, currency);
  return areUnits && typeof item.price === 'number' ? readPrice(item.price, currency) : undefined;
}

function isDecimal(price: unknown): boolean {
  return typeof price === 'number' && !Number.isInteger(price);
}

function itemNames({ sections }: Found): string[] {
  return sections.flatMap(({ items }) => items.map(({ name }) => lettersOf(name)));
}

function itemCount({ sections }: Found): number {
  return sections.reduce((count, { items }) => count + items.length, 0);
}
