import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { readBlocks } from './blocks.ts';
import { keepWithText } from './keep-with-text.ts';
import { MODEL } from './model.ts';

const TEXT = 'A paragraph of the text that is long enough to be read as prose, as it has more than eighty characters.';

/** The lines that are kept, when at first only those with this text are, and each line has the likelihood that its text names. */
function keptOf(body: string, { likelihood = 0.4, kept = TEXT } = {}): string[] {
  const { root } = parseHtml(`<body>${body}</body>`, 'https://example.test/');
  const blocks = readBlocks(root, new Set(), MODEL);
  const textOf = (index: number) => {
    const [first] = blocks.lines[index]?.element.children ?? [];
    return first?.kind === 'text' ? first.text : '';
  };
  for (const [index, line] of blocks.lines.entries()) line.isKept = textOf(index).startsWith(kept);
  keepWithText(
    blocks,
    blocks.lines.map(() => likelihood),
  );
  return blocks.lines
    .map((_, index) => index)
    .filter((index) => blocks.lines[index]?.isKept)
    .map((index) => textOf(index).slice(0, 12));
}

test('keeps the heading of a section that is kept, also from within a fold', () => {
  assert.deepEqual(keptOf(`<h2>Heading</h2><p>${TEXT}</p>`), ['Heading', 'A paragraph ']);
  const fold = `<details><summary><div><h4>Signature</h4></div></summary><div><p>${TEXT}</p></div></details>`;
  assert.deepEqual(keptOf(`${fold}<p>Elsewhere</p>`), ['Signature', 'A paragraph ']);
});

test('leaves a heading whose section is not kept, or that is hardly likely', () => {
  assert.deepEqual(keptOf(`<p>${TEXT}</p><h2>Heading</h2><ul><li>One</li><li>Two</li></ul>`), ['A paragraph ']);
  assert.deepEqual(keptOf(`<h2>Heading</h2><p>${TEXT}</p>`, { likelihood: 0.1 }), ['A paragraph ']);
});

test('keeps code next to kept text, and prose between kept text', () => {
  assert.deepEqual(keptOf(`<p>${TEXT}</p><pre>make install</pre>`), ['A paragraph ', 'make install']);
  const other = `Another ${TEXT}`;
  assert.deepEqual(keptOf(`<p>${TEXT}</p><p>${other}</p><p>${TEXT}</p>`).length, 3);
  assert.deepEqual(keptOf(`<p>${TEXT}</p><p>${other}</p>`).length, 1);
});

test('keeps nothing that is never content', () => {
  assert.deepEqual(keptOf(`<p>${TEXT}</p><pre>make install</pre>`, { likelihood: 0 }), ['A paragraph ']);
});
