/** Digits without anything between them. `digits` is in ASCII whatever the script of the text. */
export interface DigitGroup {
  start: number;
  end: number;
  digits: string;
  /** What stands between the group before and this one; empty for the first of its run. */
  gap: string;
}

/** Zero of each set of ten: ASCII, Arabic-Indic, Eastern Arabic-Indic, Devanagari, Bengali, full-width. */
const ZEROES = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xff10];
const DIGIT = /[0-9٠-٩۰-۹०-९০-৯０-９]/g;
/** Spaces on one line, hyphens and dashes, dots, slashes, brackets, Markdown escapes, `%20` in addresses. */
const GAP = /(?:%20|[ \u00a0\u2000-\u200a\u202f\u3000\-\u2010-\u2015\u2212\uff0d./()（）\\]){1,6}/y;

/** More groups than any number has; a longer run is cut, so that a table of figures costs no memory. */
const GROUPS_MAX = 64;
/** No number asked for is longer; the digits of a longer group are not kept. */
const DIGITS_MAX = 34;

/** The groups of digits that could be one number: on one line, nothing but punctuation between them. */
export function* digitRuns(text: string): Generator<DigitGroup[]> {
  DIGIT.lastIndex = 0;
  let run: DigitGroup[] = [];
  for (let next = nextDigit(text, 0); next !== -1; ) {
    const group = digitGroup(text, next, run.at(-1)?.end);
    run.push(group);
    GAP.lastIndex = group.end;
    const after = GAP.exec(text) ? GAP.lastIndex : group.end;
    if (run.length < GROUPS_MAX && after > group.end && digitAt(text, after) !== -1) {
      next = after;
      continue;
    }
    yield run;
    run = [];
    next = nextDigit(text, after);
  }
}

function digitGroup(text: string, start: number, previousEnd: number | undefined): DigitGroup {
  let end = start;
  let digits = '';
  for (let digit = digitAt(text, end); digit !== -1; digit = digitAt(text, end)) {
    if (end - start < DIGITS_MAX) digits += digit;
    end++;
  }
  return { start, end, digits, gap: previousEnd === undefined ? '' : text.slice(previousEnd, start) };
}

function nextDigit(text: string, from: number): number {
  DIGIT.lastIndex = from;
  return DIGIT.exec(text)?.index ?? -1;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 58) return code >= 48 ? code - 48 : -1;
  for (const zero of ZEROES) {
    if (code >= zero && code < zero + 10) return code - zero;
  }
  return -1;
}
