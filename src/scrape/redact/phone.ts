import type { CountryCode } from 'libphonenumber-js/max';
import { addressCursor } from './address-cursor.ts';
import { type DigitGroup, digitRuns } from './digit-runs.ts';
import { numberingPlans } from './numbering-plans.ts';
import { isLabelledPhone, isOtherNumber, isOtherShape, isPhoneInAddress } from './phone-context.ts';
import type { Span } from './span.ts';

/** ITU-T E.164: at most 15 digits. Fewer than 7 are local numbers and short codes, which name nobody. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** `(+49)`, `+(49)`, `(0)`, `%2B` in addresses, each perhaps behind Markdown's backslash. */
const LEAD = /(?:\\?[(（]|\\?[+＋]|%2B){1,2}$/i;
const EXTENSION =
  /[ \u00a0]?(?:,|;)?[ \u00a0]?(?:ext(?:ension|n)?\.?|x|доб\.?|poste|int\.|durchwahl|;ext=)[ \u00a0:.]{0,2}\d{1,7}(?!\d)/iy;

/**
 * One look-up in the numbering plans takes about 15 µs. Past so many in one page, which no real page has, what has
 * the shape of a number is taken for one: redacting too much is the safe side, and the time stays bounded.
 */
const LOOKUPS_MAX = 20_000;

interface Candidate {
  start: number;
  end: number;
  groups: readonly DigitGroup[];
  /** ASCII, without punctuation. */
  digits: string;
  isInternational: boolean;
}

/**
 * Telephone numbers: international ones anywhere, national ones as `country` (ISO 3166-1 alpha-2) writes them, and
 * whatever a label or a `tel:` address says is one. Numbering plans by libphonenumber.
 */
export function* findPhones(text: string, country: string): Generator<Span> {
  const isNumber = phoneJudge(text, country);
  for (const run of digitRuns(text)) {
    let floor = 0;
    for (const groups of parts(run)) {
      for (const candidate of candidates(text, groups)) {
        if (candidate.start < floor || !isNumber(candidate)) continue;
        floor = extensionEnd(text, candidate.end);
        yield { start: candidate.start, end: floor };
      }
    }
  }
}

/** Two numbers in a row: cut where both sides are long enough and the mark between them is more than a space. */
function* parts(run: readonly DigitGroup[]): Generator<DigitGroup[]> {
  let part: DigitGroup[] = [];
  let left = 0;
  let right = run.reduce((sum, { digits }) => sum + digits.length, 0);
  for (const group of run) {
    const isMark = /[/(（]|\s[-‐-―]\s|\s{2}|[‒-―]/.test(group.gap);
    if (isMark && left >= DIGITS_MIN && right >= DIGITS_MIN) {
      yield part;
      part = [];
      left = 0;
    }
    part.push(group);
    left += group.digits.length;
    right -= group.digits.length;
  }
  yield part;
}

/** The part as a whole, or, where it is too long for one number, every stretch between spaces that is not. */
function* candidates(text: string, groups: readonly DigitGroup[]): Generator<Candidate> {
  const total = groups.reduce((sum, { digits }) => sum + digits.length, 0);
  if (total < DIGITS_MIN) return;
  if (total <= DIGITS_MAX) return yield* candidate(text, groups);
  for (let from = 0; from < groups.length; from++) {
    if (from > 0 && !/\s/.test(groups[from]?.gap ?? '')) continue;
    for (let to = lastWithin(groups, from); to > from; to--) {
      const isFollowedBySpace = to === groups.length || /\s/.test(groups[to]?.gap ?? '');
      if (isFollowedBySpace) yield* candidate(text, groups.slice(from, to));
    }
  }
}

/** One past the last group that still fits into one number begun at `from`. */
function lastWithin(groups: readonly DigitGroup[], from: number): number {
  let to = from;
  for (let digits = 0; to < groups.length; to++) {
    digits += groups[to]?.digits.length ?? 0;
    if (digits > DIGITS_MAX) break;
  }
  return to;
}

function* candidate(text: string, groups: readonly DigitGroup[]): Generator<Candidate> {
  const first = groups[0];
  const last = groups.at(-1);
  if (!first || !last) return;
  const before = LEAD.exec(text.slice(Math.max(0, first.start - 6), first.start))?.[0] ?? '';
  const isInternational = /[+＋]|%2B/i.test(before);
  // A bracket that does not close within the number is the sentence's: (call 030 901820).
  const isClosed = groups.some(({ gap }) => /[)）]/.test(gap));
  const lead = isClosed ? before : before.replace(/^\\?[(（]/, '');
  // +44 (0)20 …: the zero is dialled only inside the country.
  const dialled = isInternational ? groups.filter(({ digits, gap }) => digits !== '0' || !/[(（]$/.test(gap)) : groups;
  const digits = dialled.map((group) => group.digits).join('');
  if (digits.length < DIGITS_MIN) return;
  yield { start: first.start - lead.length, end: last.end, groups, digits, isInternational };
}

/** Judges candidates in ascending order. */
function phoneJudge(text: string, country: string): (candidate: Candidate) => boolean {
  const { isSupportedCountry } = numberingPlans();
  const home = isSupportedCountry(country) ? country : undefined;
  const isInAddress = addressCursor(text);
  let lookups = 0;
  return (candidate) => {
    const { start, end, groups, digits, isInternational } = candidate;
    if (isOtherShape(groups)) return false;
    if (isInAddress(start)) return isPhoneInAddress(text, start);
    if (++lookups > LOOKUPS_MAX) return true;
    if (isLabelledPhone(text, start, end)) return true;
    if (isOtherNumber(text, start, end)) return false;
    if (isInternational) return isInternationalNumber(digits);
    if (digits.startsWith('00'))
      return (
        numberingPlans()
          .parsePhoneNumberFromString(`+${digits.slice(2)}`)
          ?.isValid() ?? false
      );
    return home !== undefined && isNationalNumber(candidate, home);
  };
}

function extensionEnd(text: string, end: number): number {
  EXTENSION.lastIndex = end;
  return EXTENSION.test(text) ? EXTENSION.lastIndex : end;
}

function isInternationalNumber(digits: string): boolean {
  const phone = numberingPlans().parsePhoneNumberFromString(`+${digits}`);
  if (!phone) return false;
  // Numbers of ranges that are not assigned are written too: 555 in the United States, new ranges everywhere.
  return phone.isValid() || (phone.isPossible() && digits.length >= 10);
}

/** Valid in the country, with the trunk prefix that the country dials, and written like a number rather than an id. */
function isNationalNumber({ digits, groups }: Candidate, home: CountryCode): boolean {
  if (groups.some((group, at) => at > 0 && group.digits.length < 2)) return false;
  const phone = numberingPlans().parsePhoneNumberFromString(digits, home);
  if (!phone?.isValid()) return false;
  const national = phone.formatNational().replace(/\D/g, '');
  const spellings = [national, phone.countryCallingCode + phone.nationalNumber, `0${phone.nationalNumber}`];
  if (!spellings.includes(digits)) return false;
  // Without any punctuation an order number looks the same; a leading zero or a mobile range makes it unlikely.
  return groups.length > 1 || digits.startsWith('0') || phone.getType() === 'MOBILE';
}
