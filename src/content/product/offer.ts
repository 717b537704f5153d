import type { Price, ProductVariant } from '../page-content.ts';
import { hasType, isThing, type Thing, textOfProperty, thingsOf, type Value, valuesOf } from '../structured/thing.ts';
import { readAvailability } from './availability.ts';
import { saleOf } from './draft.ts';
import { readPrice } from './price.ts';

/** The parts of a variant that an offer states. */
export interface OfferTerms {
  price?: Price | undefined;
  sale?: ProductVariant['sale'] | undefined;
  availability?: ProductVariant['availability'] | undefined;
}

const AGGREGATE = new Set(['aggregateoffer']);

/** schema.org `PriceTypeEnumeration`: what the price was, or should be, elsewhere or before. */
const FORMER_PRICES = /(?:ListPrice|StrikethroughPrice|SRP|SuggestedRetailPrice|RegularPrice)$/i;
const ACTUAL_PRICES = /(?:SalePrice|ActivePrice)$/i;

/** The individual offers of a product. Those in an `AggregateOffer` replace it, unless it has none. */
export function offersOf(product: Thing): Thing[] {
  return thingsOf(product, 'offers').flatMap((offer) => {
    const single = hasType(offer, AGGREGATE) ? thingsOf(offer, 'offers') : [];
    return single.length > 0 ? single : [offer];
  });
}

/** Price, discount and stock of an `Offer` or `AggregateOffer` (schema.org). */
export function readOffer(offer: Thing): OfferTerms {
  const price = priceOf(offer);
  return {
    price,
    sale: saleOf(price, formerPrice(offer)),
    availability: readAvailability(textOfProperty(offer, 'availability') ?? addressOf(offer, 'availability')),
  };
}

/** The offer that a buyer would take: one in stock, then the cheapest, then the first. */
export function bestOffer(offers: readonly OfferTerms[]): OfferTerms {
  return offers.toSorted((a, b) => Number(isOut(a)) - Number(isOut(b)) || amountOf(a) - amountOf(b))[0] ?? {};
}

function priceOf(offer: Thing): Price | undefined {
  const direct = readFirst(valuesOf(offer, 'price'), currencyFor(offer));
  if (direct) return direct;
  const specification = thingsOf(offer, 'priceSpecification').find(isActualPrice);
  const specified = specification && readFirst(valuesOf(specification, 'price'), currencyFor(specification, offer));
  return specified ?? rangeOf(offer);
}

/** A range counts as its lowest price, as in "from"; `formatted` has both ends. */
function rangeOf(offer: Thing): Price | undefined {
  const currency = currencyFor(offer);
  const low = readFirst(valuesOf(offer, 'lowPrice'), currency) ?? readFirst(valuesOf(offer, 'minPrice'), currency);
  const high = readFirst(valuesOf(offer, 'highPrice'), currency) ?? readFirst(valuesOf(offer, 'maxPrice'), currency);
  if (!low || !high || high.amount <= low.amount) return low ?? high;
  return { ...low, formatted: [`${low.amount}–${high.amount}`, low.currency].filter((part) => part).join(' ') };
}

function formerPrice(offer: Thing): Price | undefined {
  const specification = thingsOf(offer, 'priceSpecification').find((each) => FORMER_PRICES.test(priceType(each)));
  return specification && readFirst(valuesOf(specification, 'price'), currencyFor(specification, offer));
}

/** Prices for members, for quantities or from another time are not the price of the page. */
function isActualPrice(specification: Thing): boolean {
  const type = priceType(specification);
  if (type !== '' && !ACTUAL_PRICES.test(type)) return false;
  return (
    valuesOf(specification, 'validForMemberTier').length === 0 &&
    valuesOf(specification, 'eligibleQuantity').length === 0
  );
}

function priceType(specification: Thing): string {
  return textOfProperty(specification, 'priceType') ?? addressOf(specification, 'priceType') ?? '';
}

function currencyFor(...things: Thing[]): string | undefined {
  for (const thing of things) {
    const currency = textOfProperty(thing, 'priceCurrency', 'currency');
    if (currency) return currency;
  }
  return undefined;
}

function readFirst(values: readonly Value[], currency: string | undefined): Price | undefined {
  for (const value of values) {
    const price = typeof value === 'string' || typeof value === 'number' ? readPrice(value, currency) : undefined;
    if (price) return price;
  }
  return undefined;
}

/** A term given as a node: `{"@id": "https://schema.org/InStock"}`. */
function addressOf(thing: Thing, name: string): string | undefined {
  return valuesOf(thing, name).find(isThing)?.id;
}

function isOut({ availability }: OfferTerms): boolean {
  return availability?.inStock === false;
}

function amountOf({ price }: OfferTerms): number {
  return price?.amount ?? Number.MAX_VALUE;
}
