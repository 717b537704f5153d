import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageShape } from './page-shape.ts';
import { guessPageType, type PageSigns } from './page-type.ts';

const PROSE: PageShape = {
  proseShare: 0.9,
  paragraphs: 25,
  linkShare: 0.05,
  codeBlocks: 0,
  posts: 0,
  commentShare: 0,
  cardShare: 0,
  prices: 0,
};
const CARDS: PageShape = { ...PROSE, proseShare: 0.1, paragraphs: 1, linkShare: 0.7, cardShare: 0.8 };

function guess(signs: Partial<PageSigns>): string {
  return guessPageType({
    url: 'https://example.test/x',
    metadata: {},
    schemaTypes: new Map(),
    shape: PROSE,
    articleShare: 0.9,
    ...signs,
  });
}

describe('guessPageType', () => {
  it('takes much text in one place for an article', () => {
    assert.equal(guess({}), 'article');
    assert.equal(guess({ url: 'https://example.test/blog/2024/05/quays' }), 'article');
  });

  it('takes what stands in a manual for documentation', () => {
    assert.equal(
      guess({ url: 'https://docs.example.test/knots', shape: { ...PROSE, codeBlocks: 4 } }),
      'documentation',
    );
  });

  it('knows a forum by its address, its declaration or its posts', () => {
    const shape = { ...PROSE, posts: 30 };
    assert.equal(guess({ url: 'https://example.test/threads/which-rope.17/', shape, articleShare: 0.3 }), 'forum');
    assert.equal(guess({ schemaTypes: new Map([['qapage', 1]]), shape }), 'forum');
    assert.equal(guess({ shape: { ...shape, commentShare: 0.9 }, articleShare: 0.05 }), 'forum');
  });

  it('takes one product for a product and many for a collection', () => {
    assert.equal(
      guess({ schemaTypes: new Map([['product', 1]]), shape: { ...PROSE, proseShare: 0.6 }, articleShare: 0.6 }),
      'product',
    );
    assert.equal(
      guess({ schemaTypes: new Map([['product', 20]]), shape: { ...CARDS, prices: 20 }, articleShare: 0.1 }),
      'collection',
    );
    assert.equal(guess({ metadata: { 'og:type': 'product.group' }, shape: CARDS, articleShare: 0.1 }), 'collection');
  });

  it('takes cards without prices for a listing', () => {
    assert.equal(guess({ url: 'https://example.test/', shape: CARDS, articleShare: 0.1 }), 'listing');
  });

  it('takes several short sections for a page of services', () => {
    const shape = { ...PROSE, proseShare: 0.6, paragraphs: 8 };
    assert.equal(guess({ url: 'https://example.test/services/repairs', shape, articleShare: 0.6 }), 'service');
  });

  it('does without a valid address', () => {
    assert.equal(guess({ url: 'no address' }), 'article');
  });
});
