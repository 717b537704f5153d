import { TrawlError } from '../errors.ts';
import { patternWork } from './pattern-work.ts';

/** More than anyone writes by hand. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;
/**
 * The work of all patterns of a list; `^/blog/.*$` is 24. Of 4,500 generated lists within this bound, the slowest takes
 * 18 ms to compile.
 */
const MAX_WORK = 4_000;
/**
 * The work of a list times the characters of a text. The slowest match that was found takes 41 ms. A list that uses all
 * of its work can match texts of 250 characters; 0.07 % of the paths in links of real pages are longer.
 */
const MAX_MATCH_WORK = 1_000_000;
/** Bytes that a list may use to speed up later matches. Each running crawl holds two lists. */
const MEMORY = 1024 * 1024;

/** A compiled list of patterns. */
export interface Patterns {
  /** Longer texts take too much work: do not match them. */
  readonly maxLength: number;
  /** Whether any of the patterns matches somewhere in the text. */
  isFoundIn(text: string): boolean;
}

const NO_PATTERNS: Patterns = { maxLength: Number.POSITIVE_INFINITY, isFoundIn: () => false };

/**
 * Compiles the regular expressions of a caller with RE2: a match takes time in proportion to the text, whatever the
 * pattern, but look-around and back-references are not supported.
 * @param field the option that they come from
 * @throws TrawlError BAD_REQUEST that quotes the invalid pattern, or names the limit
 */
export async function compilePatterns(field: string, patterns: readonly string[]): Promise<Patterns> {
  if (patterns.length === 0) return NO_PATTERNS;
  const { translated, work } = await requirePatternBounds(field, patterns);
  const { RE2JSException, RE2Set } = await import('re2js');
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MEMORY);
  for (const [index, pattern] of translated.entries()) {
    try {
      set.add(pattern);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      const problem = `is not a valid regular expression: ${advice(error.message)}`;
      throw badPattern(field, `"${patterns[index]}" in "${field}" ${problem}.`);
    }
  }
  set.compile();
  return {
    maxLength: Math.floor(MAX_MATCH_WORK / work),
    isFoundIn: (text) => set.match(text).length > 0,
  };
}

/**
 * Checks the cost of patterns without compiling any: 900 characters that are repeated 1,000 times take a second and 300
 * MB.
 * @throws TrawlError BAD_REQUEST that names the limit
 */
export async function requirePatternBounds(
  field: string,
  patterns: readonly string[],
): Promise<{ translated: string[]; work: number }> {
  if (patterns.length > MAX_PATTERNS) {
    throw badPattern(field, `"${field}" has ${patterns.length} patterns; the limit is ${MAX_PATTERNS}.`);
  }
  const long = patterns.find((pattern) => pattern.length > MAX_PATTERN_LENGTH);
  if (long !== undefined) {
    const start = long.slice(0, 60);
    throw badPattern(field, `"${start}…" in "${field}" is longer than ${MAX_PATTERN_LENGTH} characters. Split it.`);
  }
  // 15 ms and 4 MB that most crawls do not need.
  const { RE2JS } = await import('re2js');
  // Converts JavaScript syntax such as \/ and \u002f.
  const translated = patterns.map((pattern) => RE2JS.translateRegExp(pattern));
  const work = translated.reduce((sum, pattern) => sum + patternWork(pattern), 0);
  if (work <= MAX_WORK) return { translated, work };
  throw badPattern(
    field,
    `The patterns of "${field}" are too complex together. Use fewer patterns, lower counts such as {100}, or no Unicode classes such as \\pL.`,
  );
}

function advice(message: string): string {
  const problem = message.replace(/^error parsing regexp: /, '');
  if (/\(\?<?[=!]/.test(problem)) return `${problem}; look-ahead and look-behind are not supported (RE2 syntax)`;
  if (/escape sequence: `\\\d/.test(problem)) return `${problem}; back-references are not supported (RE2 syntax)`;
  return problem;
}

function badPattern(field: string, message: string): TrawlError {
  return new TrawlError('BAD_REQUEST', message, { details: [{ path: [field], message }] });
}
