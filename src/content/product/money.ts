import type { Price } from '../page-content.ts';
import { isRecord } from '../structured/json.ts';
import { readPrice } from './price.ts';

/** `price.current.value.amount` is the deepest that was seen. */
const MAX_DEPTH = 4;

/**
 * An amount of money in the state of an application. Many systems count in cents, so a whole number alone is not a
 * price. It needs decimals, a sign (`$24`), or a field with the number of decimals. Undefined in any doubt.
 */
export function readMoney(value: unknown, currency: string | undefined, depth = 0): Price | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? undefined : readPrice(value, currency);
  if (typeof value === 'string') return /^\d+$/.test(value.trim()) ? undefined : readPrice(value, currency);
  if (!isRecord(value) || depth > MAX_DEPTH) return undefined;
  const { centAmount, fractionDigits = 2, currencyCode = value.currency } = value;
  const own = typeof currencyCode === 'string' ? currencyCode : currency;
  if (typeof centAmount === 'number' && typeof fractionDigits === 'number')
    return readPrice(centAmount / 10 ** fractionDigits, own);
  const amounts = [value.formatted, value.priceString, value.amount, value.value, value.price, value.currentPrice];
  for (const amount of amounts) {
    const price = readMoney(amount, own, depth + 1);
    if (price) return price;
  }
  return undefined;
}
