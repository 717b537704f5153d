import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixturePages } from './fixture-pages.ts';
import { giantPages } from './giant-pages.ts';
import { mutations } from './mutate-page.ts';

const pages = fixturePages();

test('mutates a page the same way for the same seed, and differently for another', () => {
  for (const { html } of pages) {
    const [first, again, other] = [1, 1, 2].map((seed) => [...mutations(seed)].map(({ apply }) => apply(html)));
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
  }
});

test('leaves the original page unchanged', () => {
  for (const { html } of pages) {
    const before = Buffer.from(html);
    for (const { apply } of mutations(3)) apply(html);
    assert.ok(html.equals(before));
  }
});

test('changes something with every mutation', () => {
  const page = pages.find(({ name }) => name === 'article');
  assert.ok(page);
  for (const { name, apply } of mutations(4)) assert.ok(!apply(page.html).equals(page.html), name);
});

test('accepts an already mutated page and an empty one', () => {
  for (const empty of [Buffer.alloc(0), Buffer.from('<'), Buffer.from('no tags')]) {
    for (const { apply } of mutations(5)) assert.ok(Buffer.isBuffer(apply(empty)));
  }
});

test('gives every mutation and every giant page its own name', () => {
  const names = [...mutations(6), ...giantPages()].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
