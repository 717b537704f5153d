import type { ProductVariant } from '../page-content.ts';

type Availability = ProductVariant['availability'];

/** schema.org `ItemAvailability`: whether it can be bought from stock now. */
const TERMS: [term: string, inStock: boolean, ...spellings: string[]][] = [
  ['InStock', true, 'available', 'yes', 'lowstock'],
  ['LimitedAvailability', true],
  ['InStoreOnly', true],
  ['OnlineOnly', true],
  ['OutOfStock', false, 'outstock', 'oos', 'unavailable', 'notavailable', 'notinstock'],
  ['SoldOut', false],
  ['Discontinued', false],
  ['Reserved', false],
  ['PreOrder', false],
  ['PreSale', false],
  ['BackOrder', false, 'availablefororder', 'backordered'],
  ['MadeToOrder', false],
];

const BY_SPELLING = new Map<string, Availability>(
  TERMS.flatMap(([text, inStock, ...spellings]) =>
    [text.toLowerCase(), ...spellings].map((spelling) => [spelling, { inStock, text }] as const),
  ),
);

/**
 * What a page says about stock, as the schema.org term: `http://schema.org/OutOfStock`, `OutOfStock` and `out of stock`
 * are one. Undefined when it says nothing recognisable.
 */
export function readAvailability(value: string | undefined): Availability | undefined {
  const term = value?.slice(value.lastIndexOf('/') + 1).replace(/[^a-z]/gi, '');
  return term === undefined ? undefined : BY_SPELLING.get(term.toLowerCase());
}
