import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { readBlocks } from './blocks.ts';
import { withLooseText } from './loose-text.ts';
import { MODEL } from './model.ts';

const SENTENCE = 'Bash reads commands from the standard input or from a file, and executes them one after another.';

/** The likelihood of the body's own text, which alone would be 0.1, when the blocks in it have 0.9. */
function likelihoodOfBody(html: string): string | undefined {
  const { root } = parseHtml(`<body>${html}</body>`, 'https://example.com/');
  const { lines } = readBlocks(root, new Set(), MODEL);
  const likelihoods = lines.map(({ element }) => (element.name === 'body' ? 0.1 : 0.9));
  return withLooseText(lines, likelihoods)[0]?.toFixed(2);
}

test('paragraphs without an element score like the blocks between them', () => {
  assert.equal(likelihoodOfBody(`<h2>Name</h2>${SENTENCE}<dl><dd>a</dl>`.repeat(3)), '0.90');
});

test('a note below the blocks keeps its own score', () => {
  assert.equal(likelihoodOfBody(`${'<p>a</p><p>b</p>'.repeat(3)}${SENTENCE}`), '0.10');
  assert.equal(likelihoodOfBody(`<p>a</p><p>b</p><p>c</p><p>d</p>${`${SENTENCE}<br>`.repeat(3)}`), '0.10');
});

test('labels between blocks keep their own scores', () => {
  assert.equal(likelihoodOfBody('Edited by its author on Sunday<p>a</p>'.repeat(6)), '0.10');
});
