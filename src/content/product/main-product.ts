import { lettersOf } from '../letters.ts';
import { hasType, type Thing, textOfProperty, thingsOf } from '../structured/thing.ts';
import type { Draft, DraftVariant, Finding } from './draft.ts';
import { type Evidence, plainAddress } from './evidence.ts';
import { addressOf, readProductThing, titleOf } from './thing-product.ts';

/** `Product` of schema.org and the types below it that shops use. */
const PRODUCTS = new Set([
  'product',
  'productgroup',
  'individualproduct',
  'productmodel',
  'someproducts',
  'vehicle',
  'car',
  'motorcycle',
]);
const PRODUCT_GROUPS = new Set(['productgroup']);
/** Minimum letters of a name. A shorter name could be part of a title by chance. */
const MIN_NAME = 6;
const PAGES = new Set(['webpage', 'itempage', 'aboutpage']);

/**
 * The one product that the things at the top of a page describe. Several nodes can describe one product (its variants,
 * or two plugins); among several products it is the one with the address or name of the page. Otherwise there is none.
 */
export function findProduct(things: readonly Thing[], evidence: Evidence): Finding {
  const products = things.flatMap(productsAt);
  const named = products.filter((product) => titleOf(product) !== undefined);
  const groups = groupSame(named.length > 0 ? named : products);
  const byAddress = groups.filter((group) => group.some((product) => hasPageAddress(product, evidence)));
  const byTitle = groups.filter((group) => group.some((product) => evidence.titles.has(lettersOf(titleOf(product)))));
  const likeTitle = groups.filter((group) => group.some((product) => isLikeTitle(titleOf(product), evidence)));
  const [main] = [groups, byAddress, byTitle, likeTitle].find((candidates) => candidates.length === 1) ?? [];
  if (main) return { draft: draftOf(main, evidence) };
  return groups.length === 0 ? undefined : { problem: severalProducts(groups) };
}

/** Whether one of the page's titles contains the name, or the name contains a title. */
function isLikeTitle(name: string | undefined, { titles }: Evidence): boolean {
  const letters = lettersOf(name);
  if (letters.length < MIN_NAME) return false;
  return [...titles].some((title) => title.includes(letters) || (title.length >= MIN_NAME && letters.includes(title)));
}

function severalProducts(groups: readonly Thing[][]): string {
  const names = groups.slice(0, 3).map(([product]) => (product && titleOf(product)) ?? 'unnamed');
  const further = groups.length > names.length ? ` and ${groups.length - names.length} more` : '';
  return `it describes several (${names.join(', ')}${further}), and neither its address nor its title says which is meant`;
}

/** Nested products are variants, accessories and the like, except the main entity of a page. */
function productsAt(thing: Thing): Thing[] {
  if (hasType(thing, PRODUCTS)) return [thing];
  return hasType(thing, PAGES) ? thingsOf(thing, 'mainEntity').filter((entity) => hasType(entity, PRODUCTS)) : [];
}

/** Nodes of one product: of one group, or of one name. */
function groupSame(products: readonly Thing[]): Thing[][] {
  const groups = new Set<Thing[]>();
  const byKey = new Map<string, Thing[]>();
  for (const product of new Set(products)) {
    const keys = keysOf(product);
    const group = keys.map((key) => byKey.get(key)).find((known) => known !== undefined) ?? [];
    group.push(product);
    groups.add(group);
    for (const key of keys) byKey.set(key, group);
  }
  return [...groups];
}

function keysOf(product: Thing): string[] {
  const [parent] = thingsOf(product, 'isVariantOf');
  const group =
    textOfProperty(product, 'productGroupID', 'inProductGroupWithID') ??
    (parent && (textOfProperty(parent, 'productGroupID') ?? parent.id));
  const name = lettersOf(titleOf(product));
  return [...(group ? [`group ${group}`] : []), ...(name ? [`name ${name}`] : [])];
}

function hasPageAddress(product: Thing, { addresses, baseUrl }: Evidence): boolean {
  const address = addressOf(product, baseUrl);
  return address !== undefined && addresses.has(plainAddress(address));
}

/** The group itself, else the node with the name of the page, else the first; with the variants of all. */
function draftOf(group: readonly Thing[], { baseUrl, titles }: Evidence): Draft {
  const isGroup = (product: Thing) => hasType(product, PRODUCT_GROUPS);
  const main = group.find(isGroup) ?? group.find((product) => titles.has(lettersOf(titleOf(product)))) ?? group[0];
  if (!main) return { variants: [] };
  const draft = readProductThing(main, baseUrl);
  if (group.length === 1 || thingsOf(main, 'hasVariant').length > 0) return draft;
  const variants = group
    .filter((product) => !isGroup(product))
    .flatMap((product) => variantsOf(product, draft.title, baseUrl));
  return { ...draft, variants: distinctVariants(variants) };
}

function variantsOf(product: Thing, title: string | undefined, baseUrl: string): DraftVariant[] {
  const { title: ownTitle, variants } = readProductThing(product, baseUrl);
  return variants.map((variant) => ({
    ...variant,
    title: variant.title ?? (ownTitle === title ? undefined : ownTitle),
  }));
}

/** Two nodes can describe one variant, one of them without a price or an identifier. */
function distinctVariants(variants: readonly DraftVariant[]): DraftVariant[] {
  const priced = variants.filter(({ price }) => price !== undefined);
  const candidates = priced.length > 0 ? priced : variants;
  const described = candidates.filter(({ sku, title, values }) => sku ?? title ?? values);
  const groups = Map.groupBy(described.length > 0 ? described : candidates, ({ sku, title, values, price }) => {
    return sku ?? JSON.stringify([title, values, price?.amount]);
  });
  return [...groups.values()].flatMap((same) => same.slice(0, 1));
}
