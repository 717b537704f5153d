import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { readBlocks } from './blocks.ts';
import { levelLikeLines } from './like-lines.ts';
import { MODEL } from './model.ts';

/** The levelled log-odds of the lines, one for each text, in document order. */
function levelled(html: string, logOdds: readonly number[]): number[] {
  const { lines } = readBlocks(parseHtml(html, 'https://example.test/').root, new Set(), MODEL);
  assert.equal(lines.length, logOdds.length);
  return levelLikeLines(lines, logOdds).map((odds) => Math.round(odds * 100) / 100);
}

const card = (price: string) => `<li class="card"><h3>Rope</h3><p class="price">${price}</p></li>`;

describe('levelLikeLines', () => {
  it('evens out the scores of corresponding lines in siblings of the same structure, and no others', () => {
    const html = `<ul>${card('1')}${card('2')}${card('3')}</ul><p>Text</p>`;
    assert.deepEqual(levelled(html, [4, 1, 4, -5, 1, 1, 9]), [3.3, -0.4, 3.3, -2.2, 2.4, -0.4, 9]);
  });

  it('leaves a pair of such siblings alone', () => {
    assert.deepEqual(levelled(`<ul>${card('1')}${card('2')}</ul>`, [4, 1, 0, -5]), [4, 1, 0, -5]);
  });

  it('ignores lines whose names mark them as boilerplate', () => {
    const html = `<ul>${card('1')}${card('2')}${card('3')}</ul>`;
    const no = Number.NEGATIVE_INFINITY;
    assert.deepEqual(levelled(html, [1, 3, 1, no, 1, 3]), [1, 3, 1, no, 1, 3]);
  });

  it('evens out lines of the same tags and classes in different places, half as far', () => {
    const box = '<div class="item"><div class="doc"><p>Text</p></div></div>';
    const boxes = `<article><section>${box}${box}</section></article>`;
    const html = `${boxes}<div>${boxes}</div><main>${boxes}</main>`;
    assert.deepEqual(levelled(html, [3, 3, 3, 3, 0, 0]), [2.5, 2.5, 2.5, 2.5, 1, 1]);
  });
});
