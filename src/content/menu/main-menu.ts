import { resolveAddress } from '../address.ts';
import { lettersOf } from '../letters.ts';
import type { MenuMerchant } from '../page-content.ts';
import { type Evidence, plainAddress } from '../product/evidence.ts';
import { addressOf, titleOf } from '../product/thing-product.ts';
import { hasType, isThing, type Thing, thingsOf, valuesOf } from '../structured/thing.ts';
import { boundedSections, type DraftSection, type MenuFinding, someNames } from './draft.ts';
import { readMenuThings } from './thing-menu.ts';

/** `FoodEstablishment` of schema.org and the types below it, with the word for each that clients show. */
const FOOD_ESTABLISHMENTS = new Map([
  ['restaurant', 'Restaurant'],
  ['fastfoodrestaurant', 'FastFoodRestaurant'],
  ['cafeorcoffeeshop', 'CafeOrCoffeeShop'],
  ['barorpub', 'BarOrPub'],
  ['bakery', 'Bakery'],
  ['brewery', 'Brewery'],
  ['distillery', 'Distillery'],
  ['icecreamshop', 'IceCreamShop'],
  ['winery', 'Winery'],
  ['foodestablishment', 'FoodEstablishment'],
]);
const FOOD_TYPES = new Set(FOOD_ESTABLISHMENTS.keys());
const MENUS = new Set(['menu']);
const SECTIONS = new Set(['menusection']);
const PAGES = new Set(['webpage', 'itempage', 'aboutpage', 'collectionpage', 'website']);

/** A menu that the page may be about, of a restaurant or standalone. */
interface Candidate {
  /** The nodes that describe the restaurant; empty when the restaurant is unknown. */
  merchants: readonly Thing[];
  menus: readonly Thing[];
  sections: DraftSection[];
}

/**
 * The one menu that the things at the top of a page describe. All menus of one restaurant (lunch, dinner, drinks) count
 * as one. Among several restaurants, or menus without one, it is the one with the address or name of the page.
 * Otherwise there is none.
 */
export function findMenu(things: readonly Thing[], evidence: Evidence): MenuFinding {
  const { baseUrl } = evidence;
  const entities = things.flatMap(entitiesAt);
  const restaurants = groupByName(entities.filter((entity) => hasType(entity, FOOD_TYPES)));
  const free = entities.filter((entity) => hasType(entity, MENUS));
  const owned = restaurants.map((merchants) => menusOf(merchants, free, baseUrl));
  const taken = new Set(owned.flat());
  const looseSections = entities.filter((entity) => hasType(entity, SECTIONS));
  const alone = groupByName(free.filter((menu) => !taken.has(menu)));
  // The menus on the page belong to its only restaurant.
  const [only] = restaurants.length === 1 ? restaurants : [];
  const candidates = [
    ...restaurants.map((merchants, index) => candidateOf(merchants, owned[index] ?? [], baseUrl)),
    ...alone.map((menus) => candidateOf(providersOf(menus) ?? only ?? [], menus, baseUrl)),
    // Sections outside any menu belong to the menu of the page.
    ...(taken.size + alone.length === 0 ? [candidateOf(only ?? [], looseSections, baseUrl)] : []),
  ].filter(({ sections }) => sections.length > 0);

  const byAddress = candidates.filter((candidate) =>
    namesOf(candidate).some((thing) => hasPageAddress(thing, evidence)),
  );
  const byTitle = candidates.filter((candidate) => namesOf(candidate).some((thing) => isTitled(thing, evidence)));
  const [main] = [candidates, byAddress, byTitle].find((each) => each.length === 1) ?? [];
  if (main) return { draft: { merchant: merchantOf(main.merchants), sections: boundedSections(main.sections) } };
  if (candidates.length > 0) return { problem: severalMenus(candidates) };
  if (!only) return undefined;
  return { draft: { merchant: merchantOf(only), address: menuAddresses(only, baseUrl)[0], sections: [] } };
}

/** Nested things belong to the outer one, except the main entity of a page. */
function entitiesAt(thing: Thing): Thing[] {
  if (!hasType(thing, PAGES)) return [thing];
  return [thing, ...thingsOf(thing, 'mainEntity'), ...thingsOf(thing, 'about')];
}

/** Nodes with the same name are one thing described by two plugins. Nodes without a name are separate. */
function groupByName(things: readonly Thing[]): Thing[][] {
  const groups = Map.groupBy(new Set(things), (thing) => lettersOf(titleOf(thing)) || thing);
  return [...groups.values()];
}

/** The value of `hasMenu`, or the node at its address. */
function menusOf(merchants: readonly Thing[], free: readonly Thing[], baseUrl: string): Thing[] {
  const menus = merchants.flatMap((merchant) => [...thingsOf(merchant, 'hasMenu'), ...thingsOf(merchant, 'menu')]);
  const addresses = new Set(menuAddresses(merchants, baseUrl));
  const addressed = free.filter((menu) => [menu.id, addressOf(menu, baseUrl)].some((url) => addresses.has(url ?? '')));
  return [...new Set([...menus, ...addressed])];
}

function menuAddresses(merchants: readonly Thing[], baseUrl: string): string[] {
  return merchants
    .flatMap((merchant) => [...valuesOf(merchant, 'hasMenu'), ...valuesOf(merchant, 'menu')])
    .map((value) => (isThing(value) ? (addressOf(value, baseUrl) ?? value.id ?? '') : String(value)))
    .map((address) => (address.trim() === '' ? undefined : resolveAddress(address, baseUrl)))
    .filter((address) => address !== undefined);
}

function providersOf(menus: readonly Thing[]): Thing[] | undefined {
  const providers = menus.flatMap((menu) => [...thingsOf(menu, 'provider'), ...thingsOf(menu, 'offeredBy')]);
  return providers.length > 0 ? providers : undefined;
}

function candidateOf(merchants: readonly Thing[], menus: readonly Thing[], baseUrl: string): Candidate {
  return { merchants, menus, sections: readMenuThings(menus, baseUrl) };
}

function namesOf({ merchants, menus }: Candidate): readonly Thing[] {
  return [...merchants, ...menus];
}

function hasPageAddress(thing: Thing, { addresses, baseUrl }: Evidence): boolean {
  const address = addressOf(thing, baseUrl);
  return address !== undefined && addresses.has(plainAddress(address));
}

function isTitled(thing: Thing, { titles }: Evidence): boolean {
  return titles.has(lettersOf(titleOf(thing)));
}

function merchantOf(merchants: readonly Thing[]): MenuMerchant | undefined {
  const merchant = merchants.find((thing) => titleOf(thing) !== undefined);
  const name = merchant && titleOf(merchant);
  if (name === undefined) return undefined;
  const type = merchant?.types.map((each) => FOOD_ESTABLISHMENTS.get(each)).find((each) => each !== undefined);
  return type === undefined ? { name } : { name, type };
}

function severalMenus(candidates: readonly Candidate[]): string {
  const names = candidates.map(
    (candidate) =>
      namesOf(candidate)
        .map(titleOf)
        .find((name) => name) ?? 'unnamed',
  );
  return `it describes several (${someNames(names)}), and neither its address nor its title says which is meant`;
}
