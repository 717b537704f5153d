import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { readBlocks } from './blocks.ts';
import { chooseRegions } from './choose-regions.ts';
import { MODEL } from './model.ts';

/** The lines kept of a page in which each line starts with its likelihood. */
function keptOf(html: string, least: number): string[] {
  const { root } = parseHtml(html, 'https://example.com/');
  const blocks = readBlocks(root, new Set(), MODEL);
  const texts = blocks.lines.map(({ element }) => {
    const [first] = element.children;
    return first?.kind === 'text' ? first.text.trim() : textOf(element);
  });
  chooseRegions(
    blocks,
    texts.map((text) => Number(text.split(' ')[0])),
    least,
  );
  return texts.filter((_, index) => blocks.lines[index]?.isKept);
}

const LONG = 'words that go on and on, as those of a description do, until there are some twenty of them or a few more';

test('a heading, a term and code with low scores stay with the text around them', () => {
  const page = `<div><h2>0.1 sort()</h2><p>0.9 ${LONG}</p><dl><dt>0.2 key</dt><dd>0.8 ${LONG}</dd></dl><pre>0.1 sort(x)</pre>
    <p>0.9 ${LONG}</p></div>`;
  assert.deepEqual(keptOf(page, 0.4), [
    '0.1 sort()',
    `0.9 ${LONG}`,
    '0.2 key',
    `0.8 ${LONG}`,
    '0.1 sort(x)',
    `0.9 ${LONG}`,
  ]);
});

test('a list of terms with a low score stays with the text around it, except for what is never content', () => {
  const terms = `<dl><dt>0.1 -c</dt><dd>0.1 ${LONG}</dd><dt>0.1 -l</dt><dd>0.1 ${LONG}<p>0.1 ${LONG}</p><p>0 ad</p></dd></dl>`;
  const text = `<p>0.9 ${LONG}</p>`;
  assert.deepEqual(keptOf(`<div>${text.repeat(20)}${terms}${text.repeat(20)}</div>`, 0.4), [
    ...Array(20).fill(`0.9 ${LONG}`),
    '0.1 -c',
    `0.1 ${LONG}`,
    '0.1 -l',
    `0.1 ${LONG}`,
    `0.1 ${LONG}`,
    ...Array(20).fill(`0.9 ${LONG}`),
  ]);
  assert.deepEqual(keptOf(`<div><div>${text}${text}</div><div>${terms}</div></div>`, 0.4), [
    `0.9 ${LONG}`,
    `0.9 ${LONG}`,
  ]);
});

test('a region with a low score as a whole is dropped, including a line in it with a high score', () => {
  const page = `<div><div><p>0.9 ${LONG}</p><p>0.9 ${LONG}</p></div>
    <div><h3>0.1 More</h3><p>0.1 ${LONG}</p><p>0.5 short</p><p>0.1 ${LONG}</p></div></div>`;
  assert.deepEqual(keptOf(page, 0.4), [`0.9 ${LONG}`, `0.9 ${LONG}`]);
});

test('a text surrounded by boilerplate is found', () => {
  const page = `<div><p>0.1 ${LONG}</p><p>0.1 ${LONG}</p><div><p>0.1 ${LONG}</p><section><p>0.9 ${LONG}</p><p>0.9 ${LONG}</p></section></div></div>`;
  assert.deepEqual(keptOf(page, 0.4), [`0.9 ${LONG}`, `0.9 ${LONG}`]);
});

test('what is never content is dropped even from the middle of a text', () => {
  const page = `<div><p>0.9 ${LONG}</p><p>0 ad</p><p>0.9 ${LONG}</p></div>`;
  assert.deepEqual(keptOf(page, 0.4), [`0.9 ${LONG}`, `0.9 ${LONG}`]);
});

test('text of an element next to its blocks is judged separately', () => {
  const page = `<article>0.1 a date and the name of someone<p>0.9 ${LONG}</p><p>0.9 ${LONG}</p></article>`;
  assert.deepEqual(keptOf(page, 0.4), [`0.9 ${LONG}`, `0.9 ${LONG}`]);
});

test('a cell of links is not part of the text next to it', () => {
  const page = `<table><tr><td><a href="/1">0.3 One</a></td><td><p>0.9 ${LONG}</p><p>0.9 ${LONG}</p></td></tr></table>`;
  assert.deepEqual(keptOf(page, 0.5), [`0.9 ${LONG}`, `0.9 ${LONG}`]);
});
