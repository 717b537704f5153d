import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsOf } from '../bench/content/score.ts';
import { labelLines } from './labels.ts';

function kept(lines: string[], label: string): string[] {
  const shares = labelLines(lines.map(wordsOf), label);
  return lines.filter((_, index) => (shares[index] ?? 0) >= 0.5);
}

const TEXT = [
  'Quays of wood',
  'The quays are low and the basins small.',
  'Cranes',
  'They were made of wood in the old town.',
];

describe('labelLines', () => {
  it('finds the lines of the label', () => {
    assert.deepEqual(kept(['Home', ...TEXT, 'Imprint of the paper'], TEXT.join('\n\n')), TEXT);
  });

  it('distinguishes a short line in its place from the same words elsewhere', () => {
    const lines = ['Cranes', ...TEXT, 'Cranes'];
    const shares = labelLines(lines.map(wordsOf), TEXT.join('\n'));
    assert.deepEqual(
      [...shares].map((share) => Number(share >= 0.5)),
      [0, 1, 1, 1, 1, 0],
    );
  });

  it('finds long lines that the label has in another order', () => {
    assert.equal(kept(TEXT, [TEXT[3], TEXT[1]].join('\n')).length, 2);
  });

  it('accepts lines and labels without words', () => {
    assert.deepEqual(kept(['•', ''], ''), []);
    assert.deepEqual(kept([], 'Text'), []);
  });
});
