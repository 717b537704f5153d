import type { Price } from '../../page-content.ts';
import { type DraftVariant, saleOf } from '../draft.ts';
import { Name } from './box-names.ts';
import type { BuyControl } from './buy-controls.ts';
import { type Box, outward } from './page-boxes.ts';
import type { PriceCandidate } from './price-candidates.ts';
import { isWithin, type ProductArea } from './product-area.ts';

export interface FoundPrice {
  price: Price;
  sale: DraftVariant['sale'];
  candidate: PriceCandidate;
  /** The points with which it was chosen. */
  score: number;
}

/**
 * Letters in the line of an amount. Above the first limit the line is probably a sentence that mentions the amount,
 * above the second it certainly is.
 */
const MAX_LABELLED = 35;
const MAX_SENTENCE = 80;
/** Names of elements with more text than this belong to the whole product. */
const MAX_PART = 500;
/** The prices of one product are in one element with at most this many characters of text. */
const MAX_BLOCK = 250;
/**
 * A reduced price is at least this share of the higher amount. Anything lower is an instalment or the price of a part.
 */
const MIN_REDUCED = 0.25;
/** Words on how much is saved: `-27 %`, `27% off`, `Save`. */
const SAVING =
  /(?:[-–−]\s?)?\d+\s?%|(?<!\p{L})(?:(?:you )?save[ds]?|off|sale|(?:sie )?sparen(?: sie)?|rabatt|gespart|économisez|de réduction|ahorras?|de descuento|risparmi|di sconto|korting|taniej|sleva)(?!\p{L})/giu;
/** The most characters between two amounts that belong together. */
const MAX_PAIR = 20;
/**
 * The fewest points for a price. An amount with fewer is, for example, the total of an empty cart or a misread digit.
 */
const MIN_SCORE = 3;

/**
 * Chooses the price of the product: the amount best placed near the title and the buy button that does not belong to
 * another product.
 */
export function choosePrice(
  candidates: readonly PriceCandidate[],
  area: ProductArea,
  control: BuyControl | undefined,
): FoundPrice | undefined {
  const aroundControl = new Set(outward(control?.box));
  let best: { candidate: PriceCandidate; score: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.isFormer) continue;
    const score = scoreOf(candidate, area, aroundControl);
    if (best === undefined || score > best.score) best = { candidate, score };
  }
  if (best === undefined || best.score < MIN_SCORE) return undefined;
  return found(best.candidate, best.score, candidates);
}

function scoreOf(candidate: PriceCandidate, area: ProductArea, aroundControl: ReadonlySet<Box>): number {
  const { box, line, sign, isNamed } = candidate;
  let score = (sign ? 1.5 : 0) + (isNamed ? 2 : 0) + (candidate.isCurrent ? 1 : 0);
  score += nearTitle(candidate, area) + nearControl(box, aroundControl);
  score -= area.pointsAgainst(box);
  if (candidate.isOther) score -= 6;
  if (candidate.isPerMeasure) score -= 4;
  if (candidate.isUntaxed) score -= 1;
  score -= inSentence(line.text);
  if (leadsElsewhere(box, area)) score -= 2.5;
  const around = area.namesAround(box, MAX_PART);
  if ((around & Name.Hidden) !== 0) score -= 2;
  if ((around & Name.Sticky) !== 0) score -= 1;
  if ((around & (Name.Description | Name.Reviews)) !== 0 && !isNamed) score -= 2;
  if ((around & Name.Options) !== 0) score -= 1;
  if ((area.namesAround(box) & Name.Product) !== 0) score += 0.5;
  return score;
}

/** Whether the amount is in a link to another page, for example of another condition, size or set. */
function leadsElsewhere(box: Box, area: ProductArea): boolean {
  for (const { element } of outward(box)) {
    if (element.name === 'a') return area.isElsewhere(element.attributes.href);
  }
  return false;
}

/** Penalty for long text next to an amount. Beside the price of a product there is only a label or a note on tax. */
function inSentence(text: string): number {
  const letters = text.replace(/[^\p{L}]+/gu, '').length;
  if (letters > MAX_SENTENCE) return 3;
  return letters > MAX_LABELLED ? 1.5 : 0;
}

function nearTitle({ box, offset }: PriceCandidate, area: ProductArea): number {
  if (area.titles.length === 0) return 1;
  const common = area.commonWithTitle(box);
  const size = common.end - common.start;
  const together = size < 1_500 ? 2 : size < 5_000 ? 1 : 0;
  const distance = area.distanceFromTitle(offset);
  if (distance < 0) return together + (distance > -200 ? 1.5 : -1);
  return together + (distance < 400 ? 3 : distance < 1_000 ? 2 : distance < 2_500 ? 1 : 0);
}

function nearControl(box: Box, aroundControl: ReadonlySet<Box>): number {
  for (const outer of outward(box)) {
    if (!aroundControl.has(outer)) continue;
    const size = outer.end - outer.start;
    return size < 400 ? 2 : size < 1_200 ? 1 : size < 3_000 ? 0.5 : 0;
  }
  return 0;
}

function found(chosen: PriceCandidate, score: number, candidates: readonly PriceCandidate[]): FoundPrice {
  const block = blockOf(chosen.box);
  const beside = candidates.filter((each) => each !== chosen && !each.isOther && isWithin(each.box, block));
  const others = candidates.filter(({ line, isOther }) => isOther && line === chosen.line);
  const pair = beside.find((each) => arePair(chosen, each, others));
  const current = pair && pair.value < chosen.value ? pair : lowestBeside(chosen, beside);
  const former = [chosen, ...beside].filter(
    (each) => each.value > current.value && (each.isFormer || each.isRegular || each === chosen || each === pair),
  );
  const rank = ({ isFormer, offset }: PriceCandidate) => (isFormer ? 0 : MAX_BLOCK) + Math.abs(offset - current.offset);
  const original = former.toSorted((one, other) => rank(one) - rank(other))[0];
  const price = priceOf(current, beside);
  return { price, sale: original && saleOf(price, bare(original)), candidate: current, score };
}

/**
 * Whether two amounts are next to each other without any words, except on how much is saved. A style sheet then strikes
 * through the higher one.
 * @param others amounts of the line that are no prices
 */
function arePair(one: PriceCandidate, other: PriceCandidate, others: readonly PriceCandidate[]): boolean {
  const [low, high] = one.value < other.value ? [one, other] : [other, one];
  const isOther = [low, high].some((each) => each.isFormer || each.isPerMeasure || each.isUntaxed);
  if (isOther || low.value < MIN_REDUCED * high.value) return false;
  if (one.line === other.line) {
    const rest = [one, other, ...others].reduce((text, { written }) => text.replace(written, ''), one.line.text);
    return !/[\p{L}\d–-]/u.test(rest.replace(SAVING, ''));
  }
  const areAlone = [one, other].every(({ line, written }) => line.text.replace(/[\s*]+$/, '') === written);
  return areAlone && Math.abs(one.offset - other.offset) <= MAX_PAIR;
}

/** If the chosen amount is named as the regular price, the lower one next to it is what customers pay. */
function lowestBeside(chosen: PriceCandidate, beside: readonly PriceCandidate[]): PriceCandidate {
  if (chosen.isCurrent) return chosen;
  const rivals = beside.filter(
    (each) =>
      each.value < chosen.value &&
      each.isNamed === chosen.isNamed &&
      !each.isFormer &&
      !each.isPerMeasure &&
      !each.isUntaxed &&
      each.value > MIN_REDUCED * chosen.value,
  );
  const sale = rivals.find((each) => each.isCurrent);
  return sale ?? (chosen.isRegular ? (rivals[0] ?? chosen) : chosen);
}

function blockOf(box: Box): Box {
  let block = box;
  for (const outer of outward(box)) {
    if (outer.end - outer.start > MAX_BLOCK) break;
    block = outer;
  }
  return block;
}

function priceOf(candidate: PriceCandidate, beside: readonly PriceCandidate[]): Price {
  const high = beside.find((each) => isRange(candidate, each));
  const from = candidate.isFrom ? candidate.before.trim() : '';
  const formatted = high ? `${candidate.written} – ${high.written}` : `${from} ${candidate.written}`.trim();
  return { ...bare(candidate), formatted };
}

function bare({ value, currency, written }: PriceCandidate): Price {
  return { amount: value, ...(currency === undefined ? {} : { currency }), formatted: written };
}

function isRange(low: PriceCandidate, high: PriceCandidate): boolean {
  return low.line === high.line && high.offset > low.offset && /^\s*(?:[-–—]|to|bis|à|a)\s*$/.test(low.behind);
}
