import { TrawlError } from '../errors.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { Store } from '../store/store.ts';

/** The price of work in credits, unless the operator changes it. */
export const BUILT_IN_PRICES = {
  /** A page, from the web or from the cache. */
  scrape: 1,
  /** A page with "lockdown", instead of `scrape`. */
  lockdownHit: 5,
  lockdownMiss: 1,
  /** Added for each page with the format json, question, highlights or summary. */
  modelFormat: 4,
  redaction: 4,
  zeroDataRetention: 1,
  pdfPage: 1,
  map: 1,
  /** For every 10 results. */
  search: 2,
  /** For every minute, the first one in full. */
  interact: 2,
  interactWithPrompt: 7,
  parse: 1,
} as const;

export type PriceName = keyof typeof BUILT_IN_PRICES;
export type Prices = Readonly<Record<PriceName, number>>;

/** What a charge can list, and the price of one. */
const ITEM_PRICES = {
  page: 'scrape',
  'page with lockdown': 'lockdownHit',
  'search of the cache': 'lockdownMiss',
  'model format': 'modelFormat',
  redaction: 'redaction',
  'zero data retention': 'zeroDataRetention',
  'PDF page': 'pdfPage',
  map: 'map',
} as const satisfies Record<string, PriceName>;

export type ItemName = keyof typeof ITEM_PRICES;

/** One item of what work costs: so many of something, and the credits for all of them. */
export interface Cost {
  what: ItemName;
  count: number;
  credits: number;
}

export function costOf(prices: Prices, what: ItemName, count = 1): Cost {
  return { what, count, credits: count * prices[ITEM_PRICES[what]] };
}

/** The same items at these prices. */
export function priceAgain(prices: Prices, costs: readonly Cost[]): Cost[] {
  return costs.map(({ what, count }) => costOf(prices, what, count));
}

/** The credits of all items. */
export function creditsOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { credits }) => sum + credits, 0);
}

/** The price of a charge and its items. Leaves out the items of a single page, as most charges are. */
export function chargedCosts(costs: readonly Cost[]): Pick<Charge, 'credits' | 'items'> {
  const [first, ...others] = costs;
  const isPage = others.length === 0 && first?.count === 1 && PLAIN_ITEMS.has(first.what);
  return { credits: creditsOf(costs), items: isPage ? null : costs };
}

/** Items that the key of a charge already names. */
const PLAIN_ITEMS: ReadonlySet<ItemName> = new Set(['page', 'search of the cache', 'map']);

/** Extract counts and charges tokens; a credit is worth this many. */
export const TOKENS_PER_CREDIT = 15;

/**
 * A changed price takes effect in every process after this long; reading it for each scrape would cost PostgreSQL 0.1
 * ms.
 */
const KEPT_MS = 2_000;
/** The maximum of one price. */
const MOST = 1_000_000;

/** The prices in force. */
export async function readPrices(store: Store): Promise<Prices> {
  const own = Object.fromEntries((await store.prices.list()).map(({ name, credits }) => [name, credits]));
  return { ...BUILT_IN_PRICES, ...own };
}

/** The prices in force, read again when older than two seconds. */
export function createPriceList(store: Store): () => Promise<Prices> {
  let prices: Promise<Prices> | undefined;
  let readAt = 0;
  return () => {
    if (prices !== undefined && performance.now() - readAt < KEPT_MS) return prices;
    readAt = performance.now();
    const reading = readPrices(store);
    prices = reading;
    reading.catch(() => {
      if (prices === reading) prices = undefined;
    });
    return reading;
  };
}

/** Sets a price. Throws BAD_REQUEST for an unknown name, or a price that is not a whole number from 0 to a million. */
export async function setPrice(store: Store, name: string, credits: number): Promise<void> {
  requirePriceName(name);
  if (!Number.isInteger(credits) || credits < 0 || credits > MOST) {
    throw new TrawlError('BAD_REQUEST', `A price is a whole number of credits from 0 to ${MOST}.`);
  }
  await store.prices.put({ name, credits });
}

/** Resets a price to the built-in one. Throws BAD_REQUEST for an unknown name. */
export async function resetPrice(store: Store, name: string): Promise<void> {
  requirePriceName(name);
  await store.prices.remove(name);
}

function requirePriceName(name: string): void {
  if (Object.hasOwn(BUILT_IN_PRICES, name)) return;
  throw new TrawlError(
    'BAD_REQUEST',
    `There is no price "${name}". Choose from: ${Object.keys(BUILT_IN_PRICES).join(', ')}.`,
  );
}
