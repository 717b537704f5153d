import { TrawlError } from '../errors.ts';
import { patternWork } from './pattern-work.ts';

/** More than anybody writes by hand. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;
/**
 * Of all patterns of a list, by `patternWork`; `^/blog/.*$` is 24. The slowest list within it that a search of 4,500 has
 * found takes 18 ms to compile.
 */
const MAX_WORK = 4_000;
/**
 * The work of a list times the characters of a text: 41 ms for the slowest list that was found. A list that uses up its
 * work is looked for in texts of 250 characters; 0.07 % of the paths that real pages link to are longer.
 */
const MAX_MATCH_WORK = 1_000_000;
/** Bytes of what matching remembers of earlier texts. As many lists are in memory as crawls are worked on. */
const MEMORY = 1024 * 1024;

/** Patterns that were compiled together. */
export interface Patterns {
  /** Texts that are longer are too much work. */
  readonly maxLength: number;
  /** Whether any of them is found in a text. */
  isFoundIn(text: string): boolean;
}

const NO_PATTERNS: Patterns = { maxLength: Number.POSITIVE_INFINITY, isFoundIn: () => false };

/**
 * Compiles the regular expressions of a caller. They are RE2's, which takes time in proportion to the text whatever the
 * pattern; what it lacks is look-around and back-references. What they cost is known before any is compiled: one of 900
 * characters that is repeated 1,000 times takes a second and 300 MB.
 * @param field the option that they come from
 * @throws TrawlError BAD_REQUEST that quotes the pattern that is not valid, or names the limit
 */
export async function compilePatterns(field: string, patterns: readonly string[]): Promise<Patterns> {
  if (patterns.length === 0) return NO_PATTERNS;
  if (patterns.length > MAX_PATTERNS) {
    throw badPattern(field, `"${field}" has ${patterns.length} patterns; at most ${MAX_PATTERNS} are allowed.`);
  }
  const long = patterns.find((pattern) => pattern.length > MAX_PATTERN_LENGTH);
  if (long !== undefined) {
    const start = long.slice(0, 60);
    throw badPattern(field, `"${start}…" in "${field}" is longer than ${MAX_PATTERN_LENGTH} characters. Split it.`);
  }
  // 15 ms and 4 MB that most crawls do without.
  const { RE2JS, RE2JSException, RE2Set } = await import('re2js');
  // What JavaScript writes in its own way, such as \/ and \u002f.
  const translated = patterns.map((pattern) => RE2JS.translateRegExp(pattern));
  const work = translated.reduce((sum, pattern) => sum + patternWork(pattern), 0);
  if (work > MAX_WORK) {
    throw badPattern(
      field,
      `The patterns of "${field}" are too much work together. Lower counts such as {100}, use * and + instead, leave out Unicode classes such as \\pL, or give fewer patterns.`,
    );
  }
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

function advice(message: string): string {
  const problem = message.replace(/^error parsing regexp: /, '');
  if (/\(\?<?[=!]/.test(problem)) return `${problem}; look-ahead and look-behind do not exist here (RE2 syntax)`;
  if (/escape sequence: `\\\d/.test(problem)) return `${problem}; back-references do not exist here (RE2 syntax)`;
  return problem;
}

function badPattern(field: string, message: string): TrawlError {
  return new TrawlError('BAD_REQUEST', message, { details: [{ path: [field], message }] });
}
