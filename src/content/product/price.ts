import type { Price } from '../page-content.ts';
import { CODES, SIGNS } from './currency-signs.ts';

/** A longer text is a sentence, not a price. */
const MAX_LENGTH = 60;

/** ISO 4217 codes with three decimals. */
const THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/**
 * A price from a number or from text in the format of any locale (`$1,299.00`, `1.299,00 €`, `1 299 kr`, `CHF
 * 1'299.–`). Undefined when it is not a single amount: a range, a percentage, a phrase, nothing at all. Never guesses a
 * currency.
 * @param declared the currency given separately from the amount, as ISO 4217 code or sign
 */
export function readPrice(value: string | number, declared?: string): Price | undefined {
  if (typeof value === 'number')
    return value >= 0 && Number.isFinite(value) ? priced(value, currencyOf(declared)) : undefined;
  const text = latinDigits(value.trim());
  if (text.length > MAX_LENGTH || text.includes('%')) return undefined;
  const currency = currencyOf(declared) ?? currencyOf(text);
  const numbers = text.match(NUMBER) ?? [];
  const [number] = numbers;
  if (number === undefined || numbers.length > 1 || /[-−]\s*\d/.test(text)) return undefined;
  const amount = readAmount(number, currency);
  if (amount === undefined) return undefined;
  const price = priced(amount, currency);
  // A bare number is not the text that readers see.
  return /[^\d.,]/.test(text) ? { ...price, formatted: value.trim() } : price;
}

function priced(amount: number, currency: string | undefined): Price {
  return currency === undefined ? { amount } : { amount, currency };
}

/** The ISO 4217 code that a text contains, by code or by a sign that belongs to one currency. */
export function currencyOf(text: string | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined;
  const code = /(?<![a-z])[a-z]{3}(?![a-z])/i.exec(text)?.[0].toUpperCase();
  if (code && CODES.has(code)) return code;
  return SIGNS.find(([sign]) => text.includes(sign))?.[1];
}

/** Digits grouped by separators. A full stop before them is not a separator. */
const NUMBER = /\d+(?:[.,'’\s]\d+)*/g;

/** The decimal separator. */
export type DecimalSign = '.' | ',';

/**
 * Reads a number from digits with separators. Undefined if they do not form a number.
 * @param decimal decides what a single separator before three digits means; without it, the separator divides thousands
 */
export function readAmount(
  number: string,
  currency: string | undefined,
  decimal?: DecimalSign | undefined,
): number | undefined {
  const groups = number.split(/[.,'’\s]/);
  const separators = [...number.matchAll(/[.,'’\s]/g)].map(([separator]) => separator);
  const [first = '', tail = ''] = [groups[0], groups.at(-1)];
  const last = separators.at(-1);
  if (last === undefined) return Number(number);

  const hasThreeDecimals = currency !== undefined && THREE_DECIMALS.has(currency);
  const isLastDistinct = separators.length > 1 && separators.slice(0, -1).every((separator) => separator !== last);
  // A single separator before three digits divides thousands, because no shop charges tenths of a cent.
  const isThousand =
    tail.length === 3 && first.length <= 3 && first !== '0' && !hasThreeDecimals && (decimal ?? '') !== last;
  const isDecimal = (last === '.' || last === ',') && (isLastDistinct || (separators.length === 1 && !isThousand));
  const whole = isDecimal ? groups.slice(0, -1) : groups;
  if (!areThousands(whole) || new Set(isDecimal ? separators.slice(0, -1) : separators).size > 1) return undefined;
  return Number(isDecimal ? `${whole.join('')}.${tail}` : whole.join(''));
}

/** Groups of three, and of two before the last three as in India. */
function areThousands([, ...rest]: readonly string[]): boolean {
  return rest.every((group, index) => group.length === 3 || (group.length === 2 && index < rest.length - 1));
}

/** Digits and separators that a Latin keyboard does not have. */
const OTHER_DIGITS = /[٠-٩۰-۹０-９٫٬，．]/;

/** Replaces Arabic, Persian and full-width digits and separators with Latin ones, one character for one. */
export function latinDigits(text: string): string {
  if (!OTHER_DIGITS.test(text)) return text;
  return text
    .replace(/[０-９．]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll('٫', '.')
    .replace(/[٬，]/g, ',');
}
