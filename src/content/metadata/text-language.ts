import { FUNCTION_WORDS } from './function-words.ts';

/** Two thirds of the letters must be in one script. Otherwise it is a page in two languages, or a list of names. */
const MIN_SCRIPT_SHARE = 2 / 3;
/** A Chinese, Japanese or Korean character says as much as two to three letters. */
const DENSITY = 2.5;
const MIN_LETTERS = 30;
/**
 * The minimum number of different words of a language, their minimum share of the text, and the minimum lead over the
 * next language.
 */
const MIN_DISTINCT = 4;
const MIN_SHARE = 0.08;
const MIN_LEAD = 1.5;

const HAN = 'Han';
const KANA = 'kana';
const HANGUL = 'ko';
const DENSE = new Set([HAN, KANA, HANGUL]);

/** Unicode blocks with the only language written in them, or a name if there are several. In order. */
const BLOCKS: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x41, 0x5a, 'Latin'],
  [0x61, 0x7a, 'Latin'],
  [0xc0, 0x24f, 'Latin'],
  [0x370, 0x3ff, 'el'],
  [0x400, 0x52f, 'Cyrillic'],
  [0x531, 0x58a, 'hy'],
  [0x5d0, 0x5f4, 'Hebrew'],
  [0x620, 0x6ff, 'Arabic'],
  [0x900, 0x963, 'Devanagari'],
  [0x980, 0x9ff, 'Bengali'],
  [0xa00, 0xa7f, 'pa'],
  [0xa80, 0xaff, 'gu'],
  [0xb00, 0xb7f, 'or'],
  [0xb80, 0xbff, 'ta'],
  [0xc00, 0xc7f, 'te'],
  [0xc80, 0xcff, 'kn'],
  [0xd00, 0xd7f, 'ml'],
  [0xd80, 0xdff, 'si'],
  [0xe00, 0xe7f, 'th'],
  [0xe80, 0xeff, 'lo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1200, 0x137f, 'Ethiopic'],
  [0x1780, 0x17ff, 'km'],
  [0x1e00, 0x1eff, 'Latin'],
  [0x1f00, 0x1fff, 'el'],
  [0x3041, 0x30ff, KANA],
  [0x3400, 0x4dbf, HAN],
  [0x4e00, 0x9fff, HAN],
  [0xac00, 0xd7af, HANGUL],
];

/**
 * The language of a text (ISO 639-1, 639-2 where that has none), or undefined when it is short, mixed, or in an
 * unsupported language: no language is better than a wrong one.
 */
export function languageOf(text: string): string | undefined {
  const letters = countLetters(text);
  const all = sum(letters.values());
  const han = letters.get(HAN) ?? 0;
  const kana = letters.get(KANA) ?? 0;
  if (han + kana > MIN_SCRIPT_SHARE * all) return han + kana < MIN_LETTERS ? undefined : chineseOrJapanese(han, kana);
  const [script, count] = [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
  if (count < MIN_LETTERS || count < MIN_SCRIPT_SHARE * all) return undefined;
  // The name of a script with one language is the code of that language.
  return script.length === 2 ? script : byFunctionWords(text);
}

/** Whether the text starts in a script that needs few characters for a word. */
export function isDense(text: string): boolean {
  return DENSE.has(scriptOf(text.charCodeAt(0)) ?? '');
}

/** Japanese without kana is a heading; Chinese with kana quotes a name. */
function chineseOrJapanese(han: number, kana: number): string | undefined {
  const share = kana / (han + kana);
  if (share > 0.1) return 'ja';
  return share < 0.02 ? 'zh' : undefined;
}

function countLetters(text: string): Map<string, number> {
  const letters = new Map<string, number>();
  for (let index = 0; index < text.length; index++) {
    const script = scriptOf(text.charCodeAt(index));
    if (script !== undefined) letters.set(script, (letters.get(script) ?? 0) + (DENSE.has(script) ? DENSITY : 1));
  }
  return letters;
}

function scriptOf(code: number): string | undefined {
  for (const [first, last, script] of BLOCKS) {
    if (code < first) return undefined;
    if (code <= last) return script;
  }
  return undefined;
}

const WORD = /[\p{L}\p{M}]+/gu;

function byFunctionWords(text: string): string | undefined {
  index ??= indexWords();
  const scores = new Map<string, { score: number; hits: number; words: Set<string> }>();
  const words = text.toLowerCase().match(WORD) ?? [];
  for (const word of words) {
    const languages = index.get(word) ?? [];
    for (const language of languages) {
      const entry = scores.get(language) ?? { score: 0, hits: 0, words: new Set() };
      entry.score += 1 / languages.length;
      entry.hits++;
      entry.words.add(word);
      scores.set(language, entry);
    }
  }
  const [best, next] = [...scores].toSorted(([, a], [, b]) => b.score - a.score);
  if (!best) return undefined;
  const [language, { score, hits, words: distinct }] = best;
  const isCertain = distinct.size >= MIN_DISTINCT && hits >= MIN_SHARE * words.length;
  return isCertain && score >= MIN_LEAD * (next?.[1].score ?? 0) && language !== 'la' ? language : undefined;
}

/** Built when the first page without a declared language arrives. */
let index: Map<string, readonly string[]> | undefined;

function indexWords(): Map<string, readonly string[]> {
  const languagesOf = new Map<string, string[]>();
  for (const [language, words] of FUNCTION_WORDS) {
    for (const word of new Set(words.split(' '))) {
      const languages = languagesOf.get(word);
      if (languages) languages.push(language);
      else languagesOf.set(word, [language]);
    }
  }
  return languagesOf;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
