import { addressCursor } from './address-cursor.ts';
import { type DigitGroup, digitRuns } from './digit-runs.ts';
import { isWordAt, type Span } from './span.ts';

interface Issuer {
  /** First digits, as a range of numbers of equal length. */
  from: number;
  to: number;
  lengths: readonly number[];
}

const SIXTEEN = [16];
const SIXTEEN_UP = [16, 17, 18, 19];

/**
 * Issuer identification numbers (ISO/IEC 7812) in use. Visa's 13 digits are left out: none has been issued
 * since the 1990s, and a 13-digit number that begins with 4 is nearly always a German or Japanese article number.
 */
const ISSUERS: readonly Issuer[] = [
  { from: 4, to: 4, lengths: [16, 19] }, // Visa
  { from: 51, to: 55, lengths: SIXTEEN }, // Mastercard
  { from: 2221, to: 2720, lengths: SIXTEEN }, // Mastercard
  { from: 34, to: 34, lengths: [15] }, // American Express
  { from: 37, to: 37, lengths: [15] }, // American Express
  { from: 6011, to: 6011, lengths: SIXTEEN_UP }, // Discover
  { from: 644, to: 649, lengths: SIXTEEN_UP }, // Discover
  { from: 65, to: 65, lengths: SIXTEEN_UP }, // Discover, RuPay
  { from: 300, to: 305, lengths: [14, 16, 19] }, // Diners Club
  { from: 3095, to: 3095, lengths: [14, 16, 19] }, // Diners Club
  { from: 36, to: 36, lengths: [14, 16, 19] }, // Diners Club
  { from: 38, to: 39, lengths: [14, 16, 19] }, // Diners Club
  { from: 3528, to: 3589, lengths: SIXTEEN_UP }, // JCB
  { from: 62, to: 62, lengths: SIXTEEN_UP }, // UnionPay
  { from: 81, to: 82, lengths: SIXTEEN_UP }, // UnionPay, RuPay
  { from: 2200, to: 2204, lengths: SIXTEEN_UP }, // Mir
  { from: 9792, to: 9792, lengths: SIXTEEN }, // Troy
  { from: 5018, to: 5018, lengths: SIXTEEN_UP }, // Maestro
  { from: 5020, to: 5020, lengths: SIXTEEN_UP }, // Maestro
  { from: 5038, to: 5038, lengths: SIXTEEN_UP }, // Maestro
  { from: 5893, to: 5893, lengths: SIXTEEN_UP }, // Maestro
  { from: 6304, to: 6304, lengths: SIXTEEN_UP }, // Maestro
  { from: 6759, to: 6763, lengths: SIXTEEN_UP }, // Maestro
  { from: 506099, to: 506198, lengths: SIXTEEN_UP }, // Verve
  { from: 508500, to: 508999, lengths: SIXTEEN }, // RuPay
];

/** Groups in one run, three cards of four among them; a longer run is a row of figures. */
const GROUPS_MAX = 12;
const DIGITS_MIN = 14;
const DIGITS_MAX = 19;
/** How cards print their digits; groups of three are figures in a table. */
const GROUPINGS = new Set(['4 4 4 4', '4 4 4 4 3', '4 6 5', '4 6 4', '4 4 4 2', '4 4 4 3']);
/** Unbroken, only 16 digits stand for themselves: ids of 14, 15 and 19 digits are everywhere. */
const CARD_WORD = /card|karte|carte|tarjeta|cart[ãa]o|carta|visa|master|amex|american express|diners|карт|カード|卡/i;
const LABEL_REACH = 40;
/** Between the groups of one card stand single spaces or single hyphens. */
const CARD_GAP = /^[ \u00a0\u202f\-\u2010\u2011]$/;

/** Payment card numbers: a known issuer, its length, the Luhn check digit, written whole or in even groups. */
export function* findPaymentCards(text: string): Generator<Span> {
  const isInAddress = addressCursor(text);
  for (const run of digitRuns(text)) {
    if (run.length > GROUPS_MAX) continue;
    for (let first = 0; first < run.length; first++) {
      const last = lastGroup(text, run, first);
      const start = run[first]?.start;
      const end = run[last]?.end;
      if (start === undefined || end === undefined || isInAddress(start)) continue;
      yield { start, end };
      first = last;
    }
  }
}

/** The last group of the card that begins with group `first`, or -1. */
function lastGroup(text: string, run: readonly DigitGroup[], first: number): number {
  const gap = run[first + 1]?.gap ?? '';
  const head = run[first];
  if (!head || !isFreeBefore(text, head)) return -1;
  let digits = '';
  let found = -1;
  for (let at = first; at < run.length; at++) {
    const group = run[at];
    if (!group || (at > first && (group.gap !== gap || !CARD_GAP.test(gap)))) break;
    digits += group.digits;
    if (digits.length > DIGITS_MAX) break;
    if (isCardNumber(digits) && isWrittenAsCard(text, run.slice(first, at + 1)) && isFreeAfter(text, group)) found = at;
  }
  return found;
}

function isWrittenAsCard(text: string, groups: readonly DigitGroup[]): boolean {
  const [head, ...rest] = groups;
  if (!head) return false;
  if (rest.length > 0) return GROUPINGS.has(groups.map(({ digits }) => digits.length).join(' '));
  return head.digits.length === 16 || CARD_WORD.test(text.slice(Math.max(0, head.start - LABEL_REACH), head.start));
}

/** Not the rest of something longer: `SKU-4111…`, `0.4111…`, `+4111…`. */
function isFreeBefore(text: string, { start }: DigitGroup): boolean {
  const before = text.charAt(start - 1);
  if (isWordAt(text, start - 1) || before === '+' || before === '%') return false;
  return !(/[-/]/.test(before) ? isWordAt(text, start - 2) : /\d[.,]/.test(text.slice(start - 2, start)));
}

function isFreeAfter(text: string, { end }: DigitGroup): boolean {
  return !isWordAt(text, end) && !('-.,/'.includes(text.charAt(end)) && isWordAt(text, end + 1));
}

function isCardNumber(digits: string): boolean {
  if (digits.length < DIGITS_MIN) return false;
  const known = ISSUERS.some(({ from, to, lengths }) => {
    const prefix = Number(digits.slice(0, String(from).length));
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
  return known && hasLuhnCheckDigit(digits);
}

/** ISO/IEC 7812-1 annex B: every second digit from the right is doubled, the sum is a multiple of ten. */
function hasLuhnCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
