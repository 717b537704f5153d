import { HEADING } from '../../tree/tags.ts';
import { type Amount, moneyOf } from './amounts.ts';
import { Name } from './box-names.ts';
import type { MoneyLocale } from './money-locale.ts';
import { type Box, type Line, outward } from './page-boxes.ts';
import {
  CURRENT_LABEL,
  FORMER_LABEL,
  FROM_LABEL,
  GOES_ON,
  OTHER_AMOUNT_BEFORE,
  OTHER_AMOUNT_BEHIND,
  OTHER_AMOUNT_RIGHT_BEFORE,
  OTHER_CONDITION,
  PER_MEASURE_BEHIND,
  PRICE_LABEL,
  UNTAXED,
} from './price-phrases.ts';

/** An amount of money, and what the words and names around it say about it. */
export interface PriceCandidate extends Amount {
  value: number;
  currency: string | undefined;
  /** Bits of `Name` from the elements that hold no other amount. */
  names: number;
  /** A former price, or one that others charge. */
  isFormer: boolean;
  /** A regular price. It is the former price if a lower one is next to it. */
  isRegular: boolean;
  isCurrent: boolean;
  /** Not a price of the product: saved, for shipping, per month. */
  isOther: boolean;
  isPerMeasure: boolean;
  isUntaxed: boolean;
  isFrom: boolean;
  isNamed: boolean;
}

/** The most candidates to read. Listing pages have a few hundred. */
const MAX_CANDIDATES = 1_000;
const MAX_OWN_TEXT = 150;
/** Names of elements with more text than this belong to the page, not to the amount. */
const MAX_NAMED_TEXT = 80;
const MAX_NEIGHBOUR = 40;
/** The most other characters beside an amount in an element that holds nothing else. */
const MAX_SPACING = 4;
const NOT_LETTER_BEHIND = /[^\p{L}.:]+$/u;
const MAX_VALUE = 1e9;
const DASH = /^\s*(?:[-–—]|to|bis|à|a)\s*$/;

/** The amounts of a page that are money according to a currency, a label or an element name. */
export function priceCandidates(
  amounts: readonly Amount[],
  lines: readonly Line[],
  locale: MoneyLocale,
): PriceCandidate[] {
  const indexes = new Map(lines.map((line, index) => [line, index]));
  const money = amounts.filter((amount) => isMoney(amount, locale)).slice(0, MAX_CANDIDATES);
  return money.flatMap((amount, index) => {
    const read = moneyOf(amount, locale);
    if (read === undefined || read.amount <= 0 || read.amount > MAX_VALUE) return [];
    const at = indexes.get(amount.line) ?? 0;
    const around = { previous: money[index - 1], next: money[index + 1] };
    return [{ ...amount, value: read.amount, currency: read.currency, ...describe(amount, around, lines, at) }];
  });
}

function isMoney({ sign, box, before, line, behind }: Amount, locale: MoneyLocale): boolean {
  // A letter is a currency sign only in its region: `250L` may be litres.
  if (sign && (locale.currencyOf(sign) !== undefined || !/^\p{L}/u.test(sign.text))) return true;
  if (PRICE_LABEL.test(before)) return true;
  // A bare number counts only if no other words follow it.
  return line.text.length <= MAX_NEIGHBOUR && !/\p{L}/u.test(behind) && isInPrice(box);
}

function isInPrice(box: Box): boolean {
  for (const { names, start, end } of outward(box)) {
    if (end - start > MAX_NAMED_TEXT) return false;
    if ((names & (Name.OtherAmount | Name.Reviews | Name.Cart)) !== 0) return false;
    if ((names & Name.Price) !== 0) return true;
  }
  return false;
}

type Description = Omit<PriceCandidate, keyof Amount | 'value' | 'currency'>;

function describe(
  amount: Amount,
  around: { previous: Amount | undefined; next: Amount | undefined },
  lines: readonly Line[],
  index: number,
): Description {
  const { names, isStruck, isInserted } = ownNames(amount, around);
  const before = labelBefore(amount, lines[index - 1]);
  const behind = labelBehind(amount, lines[index + 1]);
  // Words after a range apply to both ends: `$80,000 – $95,000 a year`.
  const end = around.next?.line === amount.line && DASH.test(amount.behind) ? around.next.behind : behind;
  const isOther =
    OTHER_CONDITION.test(amount.before) ||
    OTHER_AMOUNT_BEFORE.test(before) ||
    OTHER_AMOUNT_RIGHT_BEFORE.test(before) ||
    OTHER_AMOUNT_BEHIND.test(end);
  const isFormer = isStruck || (names & Name.Former) !== 0;
  const isCurrent = isInserted || CURRENT_LABEL.test(before) || (names & Name.Current) !== 0;
  return {
    names,
    isFormer: isFormer || (FORMER_LABEL.test(before) && !isCurrent),
    isRegular: (names & Name.Regular) !== 0 && !isCurrent,
    isCurrent,
    isOther: isOther || (names & Name.OtherAmount) !== 0,
    isPerMeasure: PER_MEASURE_BEHIND.test(end),
    isUntaxed:
      (names & Name.Untaxed) !== 0 ||
      UNTAXED.test(behind.slice(0, 20)) ||
      (UNTAXED.test(before.slice(-20)) && !isLabelOf(around.previous, amount)),
    isFrom: FROM_LABEL.test(before),
    isNamed: (names & Name.Price) !== 0 || isInPrice(amount.box),
  };
}

/** Whether the text between two amounts of one line belongs to the first: `£10 ex VAT £12 inc VAT`. */
function isLabelOf(previous: Amount | undefined, { line }: Amount): boolean {
  return previous?.line === line && !/\p{L}/u.test(previous.before);
}

/** The names of the elements that hold this amount and no other. */
function ownNames(
  { box, offset }: Amount,
  { previous, next }: { previous: Amount | undefined; next: Amount | undefined },
): { names: number; isStruck: boolean; isInserted: boolean } {
  let names = 0;
  let isStruck = false;
  let isInserted = false;
  for (const outer of outward(box)) {
    const holdsPrevious = previous !== undefined && previous.offset >= outer.start && previous.offset < offset;
    const holdsNext = next !== undefined && next.offset < outer.end;
    if (outer.end - outer.start > MAX_OWN_TEXT) break;
    isStruck ||= outer.isStruck;
    isInserted ||= outer.element.name === 'ins';
    if (holdsPrevious || holdsNext) continue;
    names |= outer.names;
  }
  return { names, isStruck, isInserted };
}

/** The label before an amount: the text in its line, or else the short line above. */
function labelBefore(amount: Amount, above: Line | undefined): string {
  const { before, box, line } = amount;
  if (/[\p{L}\d]/u.test(before)) return before;
  const spoken = spokenLabel(amount);
  if (spoken !== undefined) return spoken;
  if (above === undefined) return before;
  if (above.text.length > MAX_NEIGHBOUR || /\d/.test(above.text) || (above.box.element.bits & HEADING) !== 0)
    return before;
  if (!isNear(above, line, box)) return before;
  return `${above.text} ${before}`;
}

/** The label that screen readers read out before the amount: `<span aria-label="Was $45">$45</span>`. */
function spokenLabel({ box, digits, written }: Amount): string | undefined {
  for (const { element, start, end } of outward(box)) {
    if (end - start > written.length + MAX_SPACING) return undefined;
    const spoken = element.attributes['aria-label'];
    const at = spoken?.indexOf(digits) ?? -1;
    if (at > 0) return spoken?.slice(0, at).replace(NOT_LETTER_BEHIND, '');
  }
  return undefined;
}

function labelBehind({ behind, box, line }: Amount, below: Line | undefined): string {
  if (/[\p{L}\d]/u.test(behind) || below === undefined) return behind;
  const goesOn = below.text.length <= MAX_NEIGHBOUR && GOES_ON.test(below.text);
  return goesOn && isNear(line, below, box) ? `${behind} ${below.text}` : behind;
}

/** Whether the smallest element around both lines holds little other text. */
function isNear(one: Line, other: Line, box: Box): boolean {
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.start + one.text.length, other.start + other.text.length);
  for (const outer of outward(box)) {
    if (outer.start <= start && outer.end >= end) return outer.end - outer.start <= MAX_OWN_TEXT;
  }
  return false;
}
