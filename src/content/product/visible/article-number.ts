import { Name } from './box-names.ts';
import { MAKER_NUMBER, OWN_NUMBER } from './number-labels.ts';
import { type Box, type Line, outward } from './page-boxes.ts';
import type { ProductArea } from './product-area.ts';

export interface FoundNumber {
  value: string;
  /** Whether its label says that it is the shop's own number. Otherwise it is the manufacturer's. */
  isOwn: boolean;
}

interface NumberAt {
  value: string;
  weight: number;
}

const NAMED_WEIGHT = 3.5;
const MAKER_WEIGHT = 3;
/** Tells `Small 21`, a variant to choose, from `EOS R5`, a model number. */
const STARTS_WITH_WORD = /^\p{Lu}?\p{Ll}+ /u;
/** A shop's own initials before its numbers, as in `BH #`, but not a code that all shops use. */
const ABBREVIATION = /(?!(?:UPC|EAN|GTIN|ISBN|ISSN|VIN|MFR|MFG|MPN|NO)\b)[\p{Lu}&]{2,6} ?#/uy;

/** How reliable each kind of label is. */
const LABELS: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [4, OWN_NUMBER],
  [MAKER_WEIGHT, MAKER_NUMBER],
  [NAMED_WEIGHT, ABBREVIATION],
];

/** What may separate a label from its value. */
const SEPARATOR = /[\s:：.#№=|–-]*/uy;
/** A separator that makes sure a value follows. */
const SURE_SEPARATOR = /[:：#№=|]/u;
/** A label in the middle of a text must follow one of these. */
const DELIMITER = /[|,;•·(/]\s?$/;

/** Words that may follow a label but are not numbers. */
const NO_VALUE =
  /^(?:n\/?a|none|null|tbd|undefined|unavailable|select|choose|see|not|keine|name|number|code|the|and|for)$/i;
/** One word of a number. A number has one word or a few. */
const TOKEN = /^[\p{L}\p{N}][\p{L}\p{N}._/+#–-]{0,39}$/u;
const MAX_TOKENS = 4;
const MIN_VALUE = 3;
const MAX_VALUE = 40;
const MAX_LINE = 250;
const MAX_NAMED_TEXT = 60;

/** Finds the shop's number for the product: the value of the label nearest to the title. */
export function findNumber(lines: readonly Line[], area: ProductArea): FoundNumber | undefined {
  let best: (NumberAt & { score: number }) | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.text.length > MAX_LINE) continue;
    const numbers = numbersIn(line, lines[index + 1]);
    if (numbers.length === 0 || area.isForeign(line.box)) continue;
    for (const number of numbers) {
      const score = number.weight + nearTitle(line, area);
      if (best === undefined || score > best.score) best = { ...number, score };
    }
  }
  return best && { value: best.value, isOwn: best.weight > MAKER_WEIGHT };
}

/** Product details are either close to the title or in tables far below it. */
function nearTitle({ start, box }: Line, area: ProductArea): number {
  const common = area.commonWithTitle(box);
  const distance = Math.abs(area.distanceFromTitle(start));
  return (common.end - common.start < 5_000 ? 0.5 : 0) + (distance < 500 ? 1 : distance < 3_000 ? 0.6 : 0);
}

function numbersIn(line: Line, next: Line | undefined): NumberAt[] {
  const numbers: NumberAt[] = [];
  for (const { index: at } of line.text.matchAll(/(?<![\p{L}\p{N}])\p{L}|[\u3040-\u9fff\uac00-\ud7af]/gu)) {
    for (const [weight, pattern] of LABELS) {
      pattern.lastIndex = at;
      if (!pattern.test(line.text)) continue;
      const value = valueBehind(line, at, pattern.lastIndex, next);
      if (value !== undefined && (weight > MAKER_WEIGHT || !STARTS_WITH_WORD.test(value)))
        numbers.push({ value, weight });
      break;
    }
  }
  const named = numbers.length === 0 ? namedNumber(line) : undefined;
  return named === undefined ? numbers : [{ value: named, weight: NAMED_WEIGHT }];
}

/** @param labelAt where the label starts in the line; it ends at `labelEnd` */
function valueBehind(line: Line, labelAt: number, labelEnd: number, next: Line | undefined): string | undefined {
  const { text, runs } = line;
  SEPARATOR.lastIndex = labelEnd;
  SEPARATOR.test(text);
  const at = Math.max(SEPARATOR.lastIndex, labelEnd);
  const separator = text.slice(labelEnd, at);
  const isRunStart = (index: number) => index === 0 || runs.some((run) => run.at === index);
  const isSure =
    SURE_SEPARATOR.test(text.slice(labelEnd - 1, at)) || runs.some((run) => run.at > labelAt && run.at <= at);
  const startsPart = isRunStart(labelAt) || DELIMITER.test(text.slice(0, labelAt));
  if (!startsPart && !isSure) return undefined;
  if (at >= text.length) {
    // The value is in an element of its own after the label.
    return startsPart &&
      next !== undefined &&
      next.text.length <= MAX_NAMED_TEXT &&
      next.start - line.start <= text.length + 2
      ? codeIn(next.text, true)
      : undefined;
  }
  if (separator === '' && !isSure) return undefined;
  const run = runs.findLast((each) => each.at <= at);
  const end = runs.find((each) => each.at > at)?.at ?? text.length;
  if (run !== undefined && run.at >= labelEnd && isNamedNumber(run.box)) return anyWord(text.slice(at, end));
  return codeIn(text.slice(at, end), isSure);
}

/**
 * The number at the start of a text.
 * @param isSure whether it may have no digits
 */
function codeIn(text: string, isSure: boolean): string | undefined {
  const tokens: string[] = [];
  for (const word of text.trim().split(/\s+/, MAX_TOKENS + 1)) {
    const token = word.replace(/[,;:)|.]+$/, '');
    if (!TOKEN.test(token) || NO_VALUE.test(token)) break;
    const hasDigits = /\d/.test(token);
    // `Product 21`, `AB 1234 56`: further words belong to the number if they have digits or no earlier word had any.
    if (tokens.some((each) => /\d/.test(each)) && (!hasDigits || !/^[\p{Lu}\d._/+#-]+$/u.test(token))) break;
    tokens.push(token);
    if (token !== word || tokens.length === MAX_TOKENS) break;
  }
  const first = tokens.findIndex((token) => /\d/.test(token));
  if (first > 1) return undefined;
  if (first === -1) return isSure && tokens[0] !== undefined && isLettersCode(tokens[0]) ? tokens[0] : undefined;
  const value = tokens.join(' ');
  return value.length >= MIN_VALUE && value.length <= MAX_VALUE && !isDate(value) ? value : undefined;
}

/** The value after a label, in an element whose name says that it holds an article number. */
function anyWord(text: string): string | undefined {
  const word = text.trim();
  return codeIn(word, true) ?? (TOKEN.test(word) && !NO_VALUE.test(word) ? word : undefined);
}

/** Whether a word without digits is a code: `KETTLE-BLK`, `woo-hoodie`, but not `Black` or `QUANTITY`. */
function isLettersCode(token: string): boolean {
  return /^\p{L}+(?:[-_.]\p{L}+)+$/u.test(token);
}

function isDate(value: string): boolean {
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** The text of an element whose name says that it holds an article number, if all of it is a number. */
function namedNumber({ text, box }: Line): string | undefined {
  if (text.length > MAX_VALUE || !isNamedNumber(box)) return undefined;
  const code = codeIn(text, false);
  return code === text ? code : undefined;
}

function isNamedNumber(box: Box): boolean {
  for (const { names, start, end } of outward(box)) {
    if (end - start > MAX_NAMED_TEXT) return false;
    if ((names & Name.Number) !== 0) return true;
  }
  return false;
}
