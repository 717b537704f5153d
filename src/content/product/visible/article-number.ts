import { Name } from './box-names.ts';
import { MAKER_NUMBER, OWN_NUMBER } from './number-labels.ts';
import { type Box, type Line, outward } from './page-boxes.ts';
import type { ProductArea } from './product-area.ts';

export interface FoundNumber {
  value: string;
  /** Its label says that it is the shop's own number; else it is the maker's. */
  isOwn: boolean;
}

interface NumberAt {
  value: string;
  weight: number;
}

const NAMED_WEIGHT = 3.5;
const MAKER_WEIGHT = 3;
/** `Small 21` is a model to choose, `EOS R5` is one to order by. */
const STARTS_WITH_WORD = /^\p{Lu}?\p{Ll}+ /u;
/** What a shop calls its own numbers: `BH #`; not the codes that all shops have. */
const ABBREVIATION = /(?!(?:UPC|EAN|GTIN|ISBN|ISSN|VIN|MFR|MFG|MPN|NO)\b)[\p{Lu}&]{2,6} ?#/uy;

/** How much labels and names are believed. */
const LABELS: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [4, OWN_NUMBER],
  [MAKER_WEIGHT, MAKER_NUMBER],
  [NAMED_WEIGHT, ABBREVIATION],
];

/** What may stand between a label and its value. */
const SEPARATOR = /[\s:：.#№=|–-]*/uy;
/** Says that a value follows. */
const SURE_SEPARATOR = /[:：#№=|]/u;
/** What a label may follow in the text of an element. */
const DELIMITER = /[|,;•·(/]\s?$/;

/** Words that stand where a number is missing. */
const NO_VALUE =
  /^(?:n\/?a|none|null|tbd|undefined|unavailable|select|choose|see|not|keine|name|number|code|the|and|for)$/i;
/** A word of a number; numbers are one word, or few. */
const TOKEN = /^[\p{L}\p{N}][\p{L}\p{N}._/+#–-]{0,39}$/u;
const MAX_TOKENS = 4;
const MIN_VALUE = 3;
const MAX_VALUE = 40;
const MAX_LINE = 250;
const MAX_NAMED_TEXT = 60;

/** The number that the shop has for the product: what stands behind a label, nearest to the title. */
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

/** Details stand close by, or in tables far below. */
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

/** @param labelAt where the label starts in the line, which ends at `labelEnd` */
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
    // The value stands in an element of its own behind the label.
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

/** The number at the start of a text. @param isSure whether it may be without digits */
function codeIn(text: string, isSure: boolean): string | undefined {
  const tokens: string[] = [];
  for (const word of text.trim().split(/\s+/, MAX_TOKENS + 1)) {
    const token = word.replace(/[,;:)|.]+$/, '');
    if (!TOKEN.test(token) || NO_VALUE.test(token)) break;
    const hasDigits = /\d/.test(token);
    // `Product 21`, `AB 1234 56`: further words belong to it as long as they have digits, or none had.
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

/** What an element that is named as an article number has behind a label. */
function anyWord(text: string): string | undefined {
  const word = text.trim();
  return codeIn(word, true) ?? (TOKEN.test(word) && !NO_VALUE.test(word) ? word : undefined);
}

/** `KETTLE-BLK`, `woo-hoodie`; not `Black` or `QUANTITY`. */
function isLettersCode(token: string): boolean {
  return /^\p{L}+(?:[-_.]\p{L}+)+$/u.test(token);
}

function isDate(value: string): boolean {
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** The text of an element that is named as an article number, when it is nothing else. */
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
