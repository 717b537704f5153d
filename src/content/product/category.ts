import { resolveAddress } from '../address.ts';
import { lettersOf } from '../letters.ts';
import { hasType, type Thing, textOfProperty, thingsOf } from '../structured/thing.ts';
import { cleanText } from './clean-text.ts';
import { MAX_TITLE } from './draft.ts';
import { type Evidence, plainAddress } from './evidence.ts';

const BREADCRUMBS = new Set(['breadcrumblist']);
const MAX_CRUMBS = 10;

/** Names of the first crumb, for when its address does not identify it. */
const HOME_NAMES = new Set([
  'home',
  'homepage',
  'start',
  'startseite',
  'accueil',
  'inicio',
  'início',
  'hjem',
  'hem',
  'главная',
  'ホーム',
  '首页',
]);
/** The home page, including those per language: `/`, `/de/`, `/en-us`. */
const HOME_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i;

/**
 * The category of a product from the page's first breadcrumb trail (schema.org `BreadcrumbList`): the names between
 * the home page and the product, joined by ` > `.
 */
export function categoryFromBreadcrumbs(
  things: readonly Thing[],
  title: string | undefined,
  evidence: Evidence,
): string | undefined {
  const trails = things.flatMap((thing) => (hasType(thing, BREADCRUMBS) ? [thing] : thingsOf(thing, 'breadcrumb')));
  for (const trail of trails) {
    const crumbs = thingsOf(trail, 'itemListElement')
      .slice(0, MAX_CRUMBS)
      .map((crumb) => readCrumb(crumb, evidence.baseUrl));
    const category = categoryOf(
      crumbs.toSorted((a, b) => a.position - b.position),
      title,
      evidence,
    );
    if (category !== undefined) return category;
  }
  return undefined;
}

/** One step of a breadcrumb trail. */
export interface Crumb {
  name: string | undefined;
  address: string | undefined;
}

/** The steps of a breadcrumb trail between the home page and the product. */
export function categoryOf(
  crumbs: readonly Crumb[],
  title: string | undefined,
  evidence: Evidence,
): string | undefined {
  const between = crumbs
    .slice(0, MAX_CRUMBS)
    .filter((crumb, index) => !isHome(crumb, index) && !isProduct(crumb, title, evidence));
  return between.length > 0 ? between.map(({ name }) => name).join(' > ') : undefined;
}

function readCrumb(crumb: Thing, baseUrl: string): Crumb & { position: number } {
  const [item] = thingsOf(crumb, 'item');
  const address = item ? (item.id ?? textOfProperty(item, 'url')) : textOfProperty(crumb, 'item', 'url');
  return {
    position: Number(textOfProperty(crumb, 'position') ?? 0) || 0,
    name: cleanText(textOfProperty(crumb, 'name') ?? (item && textOfProperty(item, 'name')), MAX_TITLE),
    address: address === undefined ? undefined : resolveAddress(address, baseUrl),
  };
}

function isHome({ name, address }: Crumb, index: number): boolean {
  if (address !== undefined && HOME_PATH.test(new URL(address).pathname)) return true;
  return index === 0 && HOME_NAMES.has(name?.toLowerCase() ?? '');
}

function isProduct({ name, address }: Crumb, title: string | undefined, { addresses, titles }: Evidence): boolean {
  const letters = lettersOf(name);
  if (letters === '' || letters === lettersOf(title) || titles.has(letters)) return true;
  return address !== undefined && addresses.has(plainAddress(address));
}
