import { type Sign, type SignAt, signAfter, signBefore } from '../currency-signs.ts';
import { readAmount } from '../price.ts';
import type { MoneyLocale } from './money-locale.ts';
import { type Box, boxAt, type Line, RAISED_DECIMAL } from './page-boxes.ts';

/** A number in the text of a page, with its currency sign if it has one. */
export interface Amount {
  line: Line;
  /** The element that contains its first digit. */
  box: Box;
  /** How many characters of shown text come before it. */
  offset: number;
  digits: string;
  sign: Sign | undefined;
  /** The amount as the page writes it, with its sign. */
  written: string;
  /** Text of the line before and after it, up to the next amount. */
  before: string;
  behind: string;
}

/** Groups of three digits after spaces or apostrophes, or digits with full stops and commas, or `35€99`. */
const NUMBERS = /\d{1,3}(?:[ '’]\d{3}(?!\d))+(?:[.,\u2396€]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*(?:[\u2396€]\d\d(?!\d))?/g;
/** Digits that belong to words, dates, measures and versions: `B12`, `1/2`, `3.5.`, `#34`, `4:30`. */
const PART_BEFORE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d#/_@]$|\d[.,:]$/u;
const PART_BEHIND = /^(?:[\p{L}\d_@°"″%‰]|\s?%|[:/]\d|[-–]\d)/u;
const MINUS = /(?:^|[\s(])[-−–]$/;
/** Signs that hardly ever come after an amount. */
const BEFORE_AMOUNTS = /[$£¥₹₩₱₦]$/;
/** A dash in place of the decimals. */
const NO_CENTS = /^[.,][-–—]/;
/** Currencies whose prices have no decimals. */
const WITHOUT_CENTS = new Set(['CLP', 'COP', 'HUF', 'IDR', 'ISK', 'JPY', 'KRW', 'PYG', 'VND']);
const DASH = /^\s*[-–—]\s*$/;
const MAX_LABEL = 50;
const MAX_SIGN = 12;

/** The numbers of a line that may be amounts of money. */
export function amountsIn(line: Line): Amount[] {
  if (!/\d/.test(line.text)) return [];
  const places: Place[] = [];
  for (const { 0: digits, index } of line.text.matchAll(NUMBERS)) {
    const place = placeOf(line, digits, index, places.at(-1)?.end ?? 0);
    // Digits in a word must not take the sign of the amount that follows: `K100 $34`.
    if (place.start < index || !PART_BEFORE.test(line.text.slice(Math.max(0, index - 2), index))) places.push(place);
  }
  shareSigns(line.text, places);
  return places
    .filter((place) => isAmount(line, place))
    .map(({ digits, sign, digitsAt, start, end }, index, all) => {
      return {
        line,
        box: boxAt(line, digitsAt),
        offset: line.start + digitsAt,
        digits,
        sign,
        written: line.text.slice(start, end).replace(RAISED_DECIMAL, '.').trim(),
        before: line.text.slice(Math.max(all[index - 1]?.end ?? 0, start - MAX_LABEL), start),
        behind: line.text.slice(end, Math.min(all[index + 1]?.start ?? end + MAX_LABEL, end + MAX_LABEL)),
      };
    });
}

interface Place {
  digits: string;
  sign: Sign | undefined;
  digitsAt: number;
  start: number;
  end: number;
}

/** @param from where the previous amount ends, including its sign */
function placeOf({ text, runs }: Line, digits: string, digitsAt: number, from: number): Place {
  const digitsEnd = digitsAt + digits.length;
  const before = signBefore(text.slice(Math.max(from, digitsAt - MAX_SIGN), digitsAt));
  const behind = ownSign(signAfter(text.slice(digitsEnd, digitsEnd + MAX_SIGN)), text, digitsEnd, runs);
  // `$34 USD`: a code is more precise than a sign.
  const own = before === undefined || (behind !== undefined && 'byRegion' in before && 'code' in behind.sign);
  const start = before === undefined ? digitsAt : startOfSign(text, digitsAt, before);
  return {
    digits,
    sign: (own ? behind?.sign : before) ?? (digits.includes('€') ? { text: '€', code: 'EUR' } : undefined),
    digitsAt,
    start,
    end: own && behind ? digitsEnd + behind.end : digitsEnd,
  };
}

/**
 * The sign after an amount, unless it belongs to the next amount: it does in `2 × $34` and `1 €34`, but not in `45 € 34
 * €`.
 */
function ownSign(found: SignAt | undefined, text: string, from: number, runs: Line['runs']): SignAt | undefined {
  const next = found && /^\s*(?=\d)/.exec(text.slice(from + found.end, from + found.end + 3));
  if (!found || !next) return found;
  const nextAt = from + found.end + next[0].length;
  const endsElement = !BEFORE_AMOUNTS.test(found.sign.text) && runs.some(({ at }) => at === nextAt);
  return endsElement || found.start <= next[0].length ? found : undefined;
}

/** Gives both ends of a range the same sign if only one has it: `10–20 €`, `$10 - 20`. */
function shareSigns(text: string, places: Place[]): void {
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    if (next === undefined || !DASH.test(text.slice(place.end, next.start))) continue;
    place.sign ??= next.sign;
    next.sign ??= place.sign;
  }
}

function startOfSign(text: string, digitsAt: number, sign: Sign): number {
  const at = text.lastIndexOf(sign.text.slice(0, 1), digitsAt - 1);
  return at === -1 ? digitsAt : at;
}

function isAmount({ text, runs }: Line, { sign, digits, start, end }: Place): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  const behind = text.slice(end, end + 4);
  if (MINUS.test(before) || /^\s?%/.test(behind)) return false;
  // The digits of another element are the next amount: `<s>45 €</s><b>34 €</b>`.
  if (sign !== undefined) return !/^\d/.test(behind) || runs.some(({ at }) => at === end);
  return digits.length <= 12 && !PART_BEHIND.test(behind);
}

/** The value and currency of an amount. Undefined if its digits do not form a number. */
export function moneyOf(
  { digits, sign, line, offset }: Amount,
  locale: MoneyLocale,
): { amount: number; currency: string | undefined } | undefined {
  const currency = sign && locale.currencyOf(sign);
  const behind = line.text.slice(offset - line.start + digits.length);
  const [whole = '', cents] = digits.replace('€', RAISED_DECIMAL).split(RAISED_DECIMAL);
  // In `1.299,–` and `3.400⎖50`, the decimals are written apart, so the full stop divides thousands.
  const isWhole =
    cents !== undefined || NO_CENTS.test(behind) || (currency !== undefined && WITHOUT_CENTS.has(currency));
  const amount = readAmount(whole, currency, isWhole ? undefined : locale.decimal);
  if (amount === undefined) return undefined;
  return { amount: cents === undefined ? amount : amount + Number(cents) / 100, currency };
}
