import { TrawlError } from '../errors.ts';

/** More than anybody writes by hand; the bounds below are what keeps matching fast. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;
/** Instructions of all patterns of a list. `^/blog/.*$` has 12; with 5,000, an address of 2,048 characters takes 30 ms. */
const MAX_PROGRAM = 5_000;

/** Whether any of the patterns of a list is found in a text. */
export type MatchesAny = (text: string) => boolean;

/**
 * Compiles the regular expressions of a caller. They are RE2's, which takes time in proportion to the text whatever the
 * pattern; what it lacks is look-around and back-references.
 * @param field the option that they come from
 * @throws TrawlError BAD_REQUEST that quotes the pattern that is not valid, or names the limit
 */
export async function compilePatterns(field: string, patterns: readonly string[]): Promise<MatchesAny> {
  if (patterns.length === 0) return () => false;
  if (patterns.length > MAX_PATTERNS) {
    throw badPattern(field, `"${field}" has ${patterns.length} patterns; at most ${MAX_PATTERNS} are allowed.`);
  }
  // 15 ms and 4 MB that most crawls do without.
  const { RE2JS, RE2JSException } = await import('re2js');
  let size = 0;
  const compiled = patterns.map((pattern) => {
    if (pattern.length > MAX_PATTERN_LENGTH) {
      const start = pattern.slice(0, 60);
      throw badPattern(field, `"${start}…" in "${field}" is longer than ${MAX_PATTERN_LENGTH} characters. Split it.`);
    }
    try {
      // What JavaScript writes in its own way, such as \/ and \u002f.
      const program = RE2JS.compile(RE2JS.translateRegExp(pattern));
      size += program.programSize();
      return program;
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      throw badPattern(
        field,
        `"${pattern}" in "${field}" is not a valid regular expression: ${advice(error.message)}.`,
      );
    }
  });
  if (size > MAX_PROGRAM) {
    throw badPattern(
      field,
      `The patterns of "${field}" repeat too much together. Lower counts such as {100}, or use * and +.`,
    );
  }
  return (text) => compiled.some((program) => program.test(text));
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
