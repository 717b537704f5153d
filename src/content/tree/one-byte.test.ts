import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import type { ElementNode } from '../tree.ts';
import { textOf, walkElements } from '../walk.ts';
import { fromOneByte, toOneByte } from './one-byte.ts';

const FILLER = '<p>The quays of the old town are low.</p>'.repeat(50);

function elementsOf(html: string): ElementNode[] {
  const found: ElementNode[] = [];
  walkElements([parseHtml(html, 'https://example.com/').root], (element) => {
    found.push(element);
  });
  return found;
}

test('a source comes back from one byte a character', () => {
  const source = `“Quays” – 10 € ☃ 😀 \ud800 é${FILLER}`;
  const narrow = toOneByte(source);
  assert.match(narrow, /^[\0-\xff]*$/);
  assert.equal(fromOneByte(narrow), source);
});

test('a source that is wide as a whole, has no wide character, or has marks, is left as it is', () => {
  for (const source of ['港は古い'.repeat(100), `déjà vu${FILLER}`, `\u00012013 – ${FILLER}`]) {
    assert.equal(toOneByte(source), source);
  }
});

test('wide characters are read wherever they stand', () => {
  const page = `${FILLER}<title>“Quays”</title><div title="low – &amp; small" data-größe="€" data-ж=1>5 € &lt; 6 €</div>
    <svg><![CDATA[☃]]></svg><script type="application/ld+json">{"name":"“Quays”"}</script><textarea>😀&amp;</textarea>
    <größe–x>end</größe–x> a <“ b`;
  const elements = elementsOf(page);
  const textIn = (name: string) =>
    elements.filter((element) => element.name === name).map((element) => textOf(element));
  assert.deepEqual(['title', 'div', 'svg', 'script', 'textarea', 'größe–x'].map(textIn), [
    ['“Quays”'],
    ['5 € < 6 €'],
    ['☃'],
    ['{"name":"“Quays”"}'],
    ['😀&'],
    ['end'],
  ]);
  const [div] = elements.filter(({ name }) => name === 'div');
  assert.deepEqual(
    [...(div?.attributes.entries() ?? [])],
    [
      ['title', 'low – & small'],
      ['data-größe', '€'],
      ['data-ж', '1'],
    ],
  );
});

test('a source with the sign of a mark reads as any other', () => {
  const [first] = elementsOf(`<p title="–">\u00012013 –</p>${FILLER}`).filter(({ name }) => name === 'p');
  assert.equal(first?.attributes.title, '–');
  assert.equal(first && textOf(first), '\u00012013 –');
});
