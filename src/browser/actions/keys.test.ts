import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKey } from './keys.ts';

for (const [text, key] of [
  ['Enter', 'Enter'],
  ['ENTER', 'Enter'],
  ['esc', 'Escape'],
  ['a', 'a'],
  ['A', 'A'],
  ['é', 'é'],
  ['😀', '😀'],
  [' ', 'Space'],
  ['+', '+'],
  ['ctrl+a', 'Control+a'],
  ['Control++', 'Control++'],
  ['Control+Shift+ArrowLeft', 'Control+Shift+ArrowLeft'],
  ['ab', undefined],
  ['a+b', undefined],
  ['Entr', undefined],
  ['Control+', undefined],
  ['', undefined],
] as const) {
  test(`reads the key ${JSON.stringify(text)} as ${key}`, () => {
    assert.equal(parseKey(text), key);
  });
}
