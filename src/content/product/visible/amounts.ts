import { type Sign, signAfter, signBefore } from '../currency-signs.ts';
import { readAmount } from '../price.ts';
import type { MoneyLocale } from './money-locale.ts';
import { type Box, type Line, RAISED_DECIMAL } from './page-boxes.ts';

/** A number in the text of a page, with the sign of a currency if it has one. */
export interface Amount {
  line: Line;
  /** The element that its first digit stands in. */
  box: Box;
  /** Characters of shown text before it. */
  offset: number;
  digits: string;
  sign: Sign | undefined;
  /** With the sign, as the page writes it. */
  written: string;
  /** Of the line, without other amounts. */
  before: string;
  behind: string;
}

/** Groups of three behind spaces or apostrophes, else digits with full stops and commas; `35€99`. */
const NUMBERS =
  /\d{1,3}(?:[ '’]\d{3}(?!\d))+(?:[.,\u2396€]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*(?:[\u2396€]\d\d(?!\d))?/g;
/** Digits of words, dates, measures and versions: `B12`, `1/2`, `3.5.`, `#34`, `4:30`. */
const PART_BEFORE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d#/_@]$|\d[.,:]$/u;
const PART_BEHIND = /^(?:[\p{L}\d_@°"″%‰]|\s?%|[:/]\d|[-–]\d)/u;
const MINUS = /(?:^|[\s(])[-−–]$/;
const DASH = /^\s*[-–—]\s*$/;
const MAX_LABEL = 50;

/** The numbers of a line that may be amounts of money. */
export function amountsIn(line: Line): Amount[] {
  if (!/\d/.test(line.text)) return [];
  const places = [...line.text.matchAll(NUMBERS)].map((match) => placeOf(line.text, match[0], match.index));
  shareSigns(line.text, places);
  return places
    .filter((place) => isAmount(line.text, place))
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

function placeOf(text: string, digits: string, digitsAt: number): Place {
  const digitsEnd = digitsAt + digits.length;
  const before = signBefore(text.slice(Math.max(0, digitsAt - 12), digitsAt));
  const behind = signAfter(text.slice(digitsEnd, digitsEnd + 12));
  // `$34 USD`: a code says more than a sign.
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

/** Gives both ends of a range the sign of one: `10–20 €`, `$10 - 20`. */
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

function isAmount(text: string, { sign, digitsAt, digits, start, end }: Place): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  const behind = text.slice(end, end + 4);
  if (MINUS.test(before) || /^\s?%/.test(behind)) return false;
  if (sign !== undefined) return !(start === digitsAt && PART_BEFORE.test(before)) && !/^[\d]/.test(behind);
  return digits.length <= 12 && !PART_BEFORE.test(before) && !PART_BEHIND.test(behind);
}

/** The element whose text the character belongs to. */
function boxAt({ runs, box }: Line, index: number): Box {
  let found = box;
  for (const run of runs) {
    if (run.at > index) break;
    found = run.box;
  }
  return found;
}

/** What an amount is worth. Undefined when its digits are no number. */
export function moneyOf(
  { digits, sign }: Amount,
  locale: MoneyLocale,
): { amount: number; currency: string | undefined } | undefined {
  const currency = sign && locale.currencyOf(sign);
  const [whole = '', cents] = digits.replace('€', RAISED_DECIMAL).split(RAISED_DECIMAL);
  const amount = readAmount(whole, currency, locale.decimal);
  if (amount === undefined) return undefined;
  return { amount: cents === undefined ? amount : amount + Number(cents) / 100, currency };
}
