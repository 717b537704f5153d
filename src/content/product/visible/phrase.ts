/**
 * Words of shops in the languages that most of them are in, as sources of regular expressions. They are matched without
 * regard to case, from the beginning of a word (see `phrases`), and never repeat anything without a bound.
 */

/** Scripts that put no space between words: Thai, Japanese, Chinese, Korean. */
const UNSPACED = /^[(?:]*[\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7af]/;
const WORD_START = '(?<![\\p{L}\\p{N}])';
const WORD_END = '(?!\\p{L})';

/** One expression for any of the phrases, each at the beginning of a word. */
export function phrases(...sources: string[]): RegExp {
  return new RegExp(alternatives(sources, ''), 'iu');
}

/** The same as whole words in front of an amount. @param between how many words may stand between */
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
