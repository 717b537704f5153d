/** Scores Markdown as the main content of a labelled page: word F1, and snippets inside and outside the content. */
import type { LabelledPage } from './labelled-pages.ts';

export interface Score {
  f1: number;
  precision: number;
  recall: number;
  /** The number of snippets of the main content that were kept. */
  kept: number;
  /** The number of snippets outside the main content that were left out. */
  leftOut: number;
}

/** Words are compared as multisets, in lower case, without the marks and addresses of the Markdown. */
export function scoreMarkdown(markdown: string, page: Pick<LabelledPage, 'content' | 'with' | 'without'>): Score {
  const found = wordsOf(plainText(markdown));
  const text = joined(found);
  const has = (snippet: string) => text.includes(joined(wordsOf(snippet)));
  return {
    ...compare(found, wordsOf(page.content)),
    kept: page.with.filter(has).length,
    leftOut: page.without.filter((snippet) => !has(snippet)).length,
  };
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Spaces at both ends, so that a snippet is found as whole words only. */
function joined(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

// An address can be in angle brackets, or contain two levels of parentheses; a title can follow.
const INNER = String.raw`\([^()]*(?:\([^()]*\)[^()]*)*\)`;
const TARGET = String.raw`\((?:<[^>]*>|[^()\s]*(?:${INNER}[^()\s]*)*)(?:\s+"[^"]*")?\)`;
const IMAGE = new RegExp(String.raw`!\[[^\]]*\]${TARGET}`, 'g');
const LINK_END = new RegExp(String.raw`\]${TARGET}`, 'g');
const COMMENT = /<!--[\s\S]*?-->/g;
const FENCE = /^\s*(?:```|~~~).*$/gm;
const TAG = /<\/?[a-z][^>]*>/gi;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Without the addresses of links. */
export function withoutAddresses(markdown: string): string {
  return markdown.replace(LINK_END, '] ');
}

export function unescaped(markdown: string): string {
  return markdown.replace(ESCAPE, '$1');
}

/** Without marks, addresses, pictures and tags. */
export function plainText(markdown: string): string {
  const linked = markdown.replace(COMMENT, ' ').replace(IMAGE, ' ');
  return unescaped(withoutAddresses(linked).replace(FENCE, ' ').replace(TAG, ' '));
}

function compare(found: readonly string[], expected: readonly string[]): Pick<Score, 'f1' | 'precision' | 'recall'> {
  if (expected.length === 0) {
    const nothing = Number(found.length === 0);
    return { f1: nothing, precision: nothing, recall: 1 };
  }
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common++;
    left.set(word, count - 1);
  }
  if (common === 0) return { f1: 0, precision: 0, recall: 0 };
  const precision = common / found.length;
  const recall = common / expected.length;
  return { f1: (2 * precision * recall) / (precision + recall), precision, recall };
}
