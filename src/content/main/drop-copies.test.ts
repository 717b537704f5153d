import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { readBlocks } from './blocks.ts';
import { dropCopies } from './drop-copies.ts';
import { MODEL } from './model.ts';

function keptOf(html: string): string[] {
  const { root } = parseHtml(html, 'https://example.com/');
  const { lines } = readBlocks(root, new Set(), MODEL);
  for (const line of lines) line.isKept = true;
  dropCopies(lines);
  return lines.filter(({ isKept }) => isKept).map(({ element }) => textOf(element, 1_000));
}

const FIRST = 'The harbour of the old town was built for sailing ships, so its quays are low and its basins are small.';
const SECOND = 'Its cranes are made of wood, and they have stood there for three hundred years without much repair.';
const TEXT = `<h2>Quays</h2><p>${FIRST}</p><p>${SECOND}</p>`;

test('a text that appears twice, for wide and for narrow screens, is kept once', () => {
  const page = `<div class="wide">${TEXT}</div><div class="narrow"><p>Menu</p>${TEXT}</div>`;
  assert.deepEqual(keptOf(page), ['Quays', FIRST, SECOND, 'Menu']);
});

test('a text that reappears after another one stays', () => {
  const verse = `<p>${'And so the ships went out to sea again, and so they came back home. '.repeat(4)}</p>`;
  assert.equal(keptOf(`${TEXT}${verse}${TEXT}`).length, 7);
});

test('a single repeated line stays, and so do similar rows', () => {
  const row = `<tr><td>${FIRST}</td><td>${SECOND}</td></tr>`;
  assert.equal(keptOf(`<p>${FIRST}</p><p>${FIRST}</p>`).length, 2);
  assert.equal(keptOf(`<table>${row}${row}</table>`).length, 4);
});

test('a text of 30,000 lines that reappears far below is not compared line by line', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `<p>${index}</p>`).join('');
  const verse = `<p>${FIRST.repeat(2_000)}</p>`;
  assert.equal(keptOf(`${lines}${verse}${lines}`).length, 60_001);
});
