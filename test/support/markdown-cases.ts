import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toMarkdown } from '../../src/content/markdown/to-markdown.ts';
import { parseHtml } from '../../src/content/parse-html.ts';

/** The title, the HTML, and the Markdown as lines. */
export type MarkdownCase = [name: string, html: string, ...lines: string[]];

export function markdownOf(html: string, removeBase64Images = true): string {
  const { root, baseUrl } = parseHtml(html, 'https://example.com/dir/page');
  return toMarkdown(root, { baseUrl, removeBase64Images });
}

/** One test for each case. */
export function itWrites(cases: readonly MarkdownCase[]): void {
  for (const [name, html, ...lines] of cases) {
    it(name, () => assert.equal(markdownOf(html), lines.join('\n')));
  }
}
