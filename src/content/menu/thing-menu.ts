import type { MenuItem } from '../page-content.ts';
import { cleanText } from '../product/clean-text.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from '../product/draft.ts';
import { bestOffer, offersOf, readOffer } from '../product/offer.ts';
import { addressOf, titleOf } from '../product/thing-product.ts';
import { imagesOf } from '../product/thing-variants.ts';
import {
  hasType,
  isThing,
  type Thing,
  textOfProperty,
  thingsOf,
  valuesOf,
  withoutVocabulary,
} from '../structured/thing.ts';
import { type DraftItem, type DraftSection, MAX_ITEMS, MAX_SECTION_DEPTH, sectionName } from './draft.ts';

const SECTIONS = new Set(['menusection']);
const MAX_DIETS = 20;

/**
 * The sections of menus of schema.org (`Menu`, `MenuSection`, `MenuItem`). Nested sections follow the outer one and
 * carry both names, and the name of the menu if there are several. Items outside any section form their own.
 */
export function readMenuThings(menus: readonly Thing[], baseUrl: string): DraftSection[] {
  const reader = new SectionReader(baseUrl);
  const hasSeveral = menus.filter((menu) => !hasType(menu, SECTIONS)).length > 1;
  for (const menu of menus) reader.readMenu(menu, hasSeveral ? titleOf(menu) : undefined);
  return reader.sections;
}

class SectionReader {
  readonly sections: DraftSection[] = [];
  readonly #baseUrl: string;
  /** A section that two menus share is read for the first; one that contains itself is not read again. */
  readonly #seen = new Set<Thing>();
  #itemsLeft = MAX_ITEMS;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  readMenu(menu: Thing, prefix: string | undefined): void {
    if (this.#seen.has(menu)) return;
    if (hasType(menu, SECTIONS)) {
      this.#readSection(menu, undefined, 0);
      return;
    }
    this.#seen.add(menu);
    this.#addSection(menu, prefix ?? titleOf(menu) ?? 'Menu');
    for (const section of sectionsOf(menu)) this.#readSection(section, prefix, 0);
  }

  #readSection(section: Thing, prefix: string | undefined, depth: number): void {
    if (depth > MAX_SECTION_DEPTH || this.#seen.has(section)) return;
    this.#seen.add(section);
    const name = sectionName(prefix, titleOf(section));
    this.#addSection(section, name ?? 'Menu');
    for (const inner of sectionsOf(section)) this.#readSection(inner, name, depth + 1);
  }

  #addSection(section: Thing, name: string): void {
    const things = [...thingsOf(section, 'hasMenuItem'), ...thingsOf(section, 'menuItem')].slice(0, this.#itemsLeft);
    const items = things.map((item) => readItem(item, this.#baseUrl)).filter((item) => item !== undefined);
    this.#itemsLeft -= things.length;
    if (items.length === 0) return;
    this.sections.push({
      name,
      description: cleanText(textOfProperty(section, 'description'), MAX_DESCRIPTION),
      items,
    });
  }
}

/** Some pages put sections where items belong, some use the word of older drafts of schema.org. */
function sectionsOf(thing: Thing): Thing[] {
  const misplaced = thingsOf(thing, 'hasMenuItem').filter((item) => hasType(item, SECTIONS));
  return [...thingsOf(thing, 'hasMenuSection'), ...thingsOf(thing, 'menuSection'), ...misplaced];
}

function readItem(item: Thing, baseUrl: string): DraftItem | undefined {
  const name = titleOf(item);
  if (name === undefined || hasType(item, SECTIONS)) return undefined;
  const offers = offersOf(item);
  // Some state the price on the item itself.
  const { price, availability } = bestOffer((offers.length > 0 ? offers : [item]).map(readOffer));
  return {
    name,
    id: textOfProperty(item, 'sku', 'productID', 'identifier'),
    description: cleanText(textOfProperty(item, 'description'), MAX_DESCRIPTION),
    images: imagesOf(item, baseUrl),
    price,
    availability,
    dietary: dietsOf(item),
    calories: caloriesOf(item),
    url: addressOf(item, baseUrl),
  };
}

/** schema.org `RestrictedDiet` in plain words: `https://schema.org/GlutenFreeDiet` is `gluten-free`. */
function dietsOf(item: Thing): MenuItem['dietary'] {
  const diets = valuesOf(item, 'suitableForDiet')
    .slice(0, MAX_DIETS)
    .map((diet) => (isThing(diet) ? (diet.id ?? titleOf(diet)) : String(diet)))
    .map((diet) => cleanText(diet, MAX_TITLE))
    .filter((diet) => diet !== undefined)
    .map(withoutVocabulary)
    .map((diet) =>
      diet
        .replace(/Diet$/, '')
        .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
        .toLowerCase(),
    );
  return [...new Set(diets)];
}

/** schema.org `Energy`: `240 calories`, `240 kcal`; a text in joules says nothing here. */
export function readCalories(text: string | undefined): number | undefined {
  const amount = /^(\d{1,5}(?:\.\d{1,2})?)\s*(?:k?cals?|(?:kilo)?calories)?\.?$/i.exec(text?.trim() ?? '')?.[1];
  return amount === undefined ? undefined : Number(amount);
}

function caloriesOf(item: Thing): number | undefined {
  const [nutrition] = thingsOf(item, 'nutrition');
  return nutrition && readCalories(textOfProperty(nutrition, 'calories'));
}
