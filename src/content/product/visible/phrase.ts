/**
 * Builds regular expressions from phrases that shops use in the most common languages. Phrases ignore case and start at
 * the beginning of a word (see `phrases`). Every repetition in them has an upper limit.
 */

/** Scripts that put no space between words: Thai, Japanese, Chinese, Korean. */
const UNSPACED = /^[(?:]*[\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7af]/;
const WORD_START = '(?<![\\p{L}\\p{N}])';
const WORD_END = '(?!\\p{L})';

/** One expression that matches any of the phrases at the beginning of a word. */
export function phrases(...sources: string[]): RegExp {
  return new RegExp(alternatives(sources, ''), 'iu');
}

/**
 * The same, but as whole words before an amount.
 * @param between how many words may come between phrase and amount
 */
export function beforeAmount(between: number, ...sources: string[]): RegExp {
  const words = `(?:[\\p{L}.'’]{1,20}[\\s:：*(]+){0,${between}}`;
  return new RegExp(`${alternatives(sources, WORD_END)}[\\s:：*(]*${words}$`, 'iu');
}

function alternatives(sources: readonly string[], end: string): string {
  const spaced = sources.filter((source) => !UNSPACED.test(source));
  const unspaced = sources.filter((source) => UNSPACED.test(source));
  const groups = [`${WORD_START}(?:${spaced.join('|')})${end}`, ...unspaced];
  return `(?:${groups.join('|')})`;
}
