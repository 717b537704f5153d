import type { CountryCode } from 'libphonenumber-js/max';
import { addressCursor } from './address-cursor.ts';
import { type DigitGroup, digitRuns } from './digit-runs.ts';
import { numberingPlans } from './numbering-plans.ts';
import { isLabelledPhone, isOtherNumber, isOtherShape, isPhoneInAddress, isThousands } from './phone-context.ts';
import type { Span } from './span.ts';

/** ITU-T E.164: at most 15 digits. Fewer than 7 are local numbers and short codes, which name nobody. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** `+33 6 12 34 56 78` has six groups, one of a single digit; a row of a table has more of either. */
const GROUPS_MAX = 8;
const SINGLE_DIGITS_MAX = 2;
/** `+49`, `(+49)`, `+(49)`, `(030)`, `%2B49` in addresses. */
const LEAD = /(?:(?:[(（]\\?)?(?:[+＋]|%2B)[(（]?|[(（])$/i;
const EXTENSION =
  /[ \u00a0]?[,;]?[ \u00a0]?(?:ext(?:ension|n)?\.?|x|доб\.?|poste|int\.|durchwahl|;ext=)[ \u00a0:.]{0,2}\d{1,7}(?!\d)/iy;

/**
 * One look-up in the numbering plans takes about 15 µs. Beyond this many in one page, which no real page has, text that is
 * clearly written as a number is taken for one without a look-up, so that the time stays bounded.
 */
const LOOKUPS_MAX = 20_000;

interface Candidate {
  start: number;
  /** After the extension, if there is one. */
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
        floor = candidate.end;
        yield { start: candidate.start, end: candidate.end };
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
  if (total <= DIGITS_MAX) {
    if (isOfNumberSize(groups)) yield candidateOf(text, groups);
    return;
  }
  // A row of figures, where any few would do.
  if (groups.length > 2 * GROUPS_MAX) return;
  for (let from = 0; from < groups.length; from++) {
    if (from > 0 && !/\s/.test(groups[from]?.gap ?? '')) continue;
    for (let to = lastWithin(groups, from); to > from; to--) {
      const isFollowedBySpace = to === groups.length || /\s/.test(groups[to]?.gap ?? '');
      const window = groups.slice(from, to);
      if (!isFollowedBySpace || !isOfNumberSize(window)) continue;
      const candidate = candidateOf(text, window);
      if (isPlainlyDialled(candidate)) yield candidate;
    }
  }
}

function isOfNumberSize(groups: readonly DigitGroup[]): boolean {
  let total = 0;
  let singles = 0;
  for (const { digits } of groups) {
    total += digits.length;
    if (digits.length === 1) singles++;
  }
  return total >= DIGITS_MIN && groups.length <= GROUPS_MAX && singles <= SINGLE_DIGITS_MAX;
}

/** One past the last group that still fits into one number begun at `from`. */
function lastWithin(groups: readonly DigitGroup[], from: number): number {
  let to = from;
  for (let digits = 0; to < groups.length && to - from < GROUPS_MAX; to++) {
    digits += groups[to]?.digits.length ?? 0;
    if (digits > DIGITS_MAX) break;
  }
  return to;
}

function candidateOf(text: string, groups: readonly DigitGroup[]): Candidate {
  const first = groups[0]?.start ?? 0;
  const before = LEAD.exec(text.slice(Math.max(0, first - 6), first))?.[0] ?? '';
  const isInternational = /[+＋]|%2B/i.test(before);
  // A bracket that does not close within the number is the sentence's: (call 030 901820).
  const isClosed = groups.some(({ gap }) => /[)）]/.test(gap));
  const lead = isClosed ? before : before.replace(/^[(（]\\?/, '');
  // +44 (0)20 …: the zero is dialled only inside the country.
  const dialled = isInternational ? groups.filter(({ digits, gap }) => digits !== '0' || !/[(（]$/.test(gap)) : groups;
  const digits = dialled.map((group) => group.digits).join('');
  const end = extensionEnd(text, groups.at(-1)?.end ?? first);
  return { start: first - lead.length, end, groups, digits, isInternational };
}

function extensionEnd(text: string, end: number): number {
  EXTENSION.lastIndex = end;
  return EXTENSION.test(text) ? EXTENSION.lastIndex : end;
}

/** Written as no other figure is: `+49 …`, `(030) …`, `030 …`, `202-555-…`. */
function isPlainlyDialled({ start, groups, digits, isInternational }: Candidate): boolean {
  if (isInternational || digits.startsWith('0') || start !== groups[0]?.start) return true;
  return groups.some(({ gap }, at) => at > 0 && /[-\u2010\u2011)）]/.test(gap));
}

/** Judges candidates in ascending order. */
function phoneJudge(text: string, country: string): (candidate: Candidate) => boolean {
  const { isSupportedCountry, isValidPhoneNumber } = numberingPlans();
  const home = isSupportedCountry(country) ? country : undefined;
  const isInAddress = addressCursor(text);
  let lookups = 0;
  return (candidate) => {
    const { start, end, groups, digits, isInternational } = candidate;
    if (isOtherShape(groups)) return false;
    if (isInAddress(start)) return isPhoneInAddress(text, start);
    if (++lookups > LOOKUPS_MAX) return isPlainlyDialled(candidate);
    if (isLabelledPhone(text, start, end)) return true;
    if (isOtherNumber(text, start, end) || (!isInternational && isThousands(groups))) return false;
    if (isInternational) return isInternationalNumber(digits);
    if (digits.startsWith('00')) return isValidPhoneNumber(`+${digits.slice(2)}`);
    return home !== undefined && isNationalNumber(candidate, home);
  };
}

function isInternationalNumber(digits: string): boolean {
  const phone = numberingPlans().parsePhoneNumberFromString(`+${digits}`);
  if (!phone) return false;
  // Unassigned ranges occur too: 555 in the United States, new ranges everywhere.
  return phone.isValid() || (phone.isPossible() && digits.length >= 10);
}

/** Valid in the country, with the trunk prefix that the country dials, and written like a number rather than an id. */
function isNationalNumber({ digits, groups }: Candidate, home: CountryCode): boolean {
  if (groups.some((group, at) => at > 0 && group.digits.length < 2)) return false;
  const phone = numberingPlans().parsePhoneNumberFromString(digits, home);
  if (!phone?.isValid()) return false;
  const isMobile = phone.getType() === 'MOBILE';
  const dialled = phone.formatNational().replace(/\D/g, '');
  const spellings = [dialled, phone.countryCallingCode + phone.nationalNumber, `0${phone.nationalNumber}`];
  if (!spellings.includes(digits) && !(isMobile && digits === phone.nationalNumber)) return false;
  // Without any punctuation an order number looks the same; a leading zero or a mobile range makes it unlikely.
  return groups.length > 1 || digits.startsWith('0') || isMobile;
}
