import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageSigns } from './page-facts.ts';
import { pageTypePoints } from './page-type.ts';
import { PAGE_TYPES } from './page-type-evidence.ts';

/** The type with the most points. */
function likeliest(signs: Partial<PageSigns>): string | undefined {
  const points = pageTypePoints({ url: 'https://example.test/x', metadata: {}, schemaTypes: new Map(), ...signs });
  return PAGE_TYPES[points.indexOf(Math.max(...points))];
}

const CASES: { name: string; signs: Partial<PageSigns>; type: string }[] = [
  { name: 'a dated path', signs: { url: 'https://example.test/blog/2024/05/quays' }, type: 'article' },
  { name: 'a declared article', signs: { metadata: { 'og:type': 'article' } }, type: 'article' },
  { name: 'a host of manuals', signs: { url: 'https://docs.example.test/knots' }, type: 'documentation' },
  { name: 'a path of threads', signs: { url: 'https://example.test/threads/which-rope.17/' }, type: 'forum' },
  { name: 'questions and answers', signs: { schemaTypes: new Map([['qapage', 1]]) }, type: 'forum' },
  { name: 'one product', signs: { schemaTypes: new Map([['product', 1]]) }, type: 'product' },
  { name: 'many products', signs: { schemaTypes: new Map([['product', 20]]) }, type: 'collection' },
  { name: 'a declared group of products', signs: { metadata: { 'og:type': 'product.group' } }, type: 'collection' },
  { name: 'a path of services', signs: { url: 'https://example.test/services/repairs' }, type: 'service' },
];

describe('pageTypePoints', () => {
  for (const { name, signs, type } of CASES)
    it(`recognises ${name} as ${type}`, () => assert.equal(likeliest(signs), type));

  it('gives no points to a page without evidence', () => {
    assert.deepEqual(
      pageTypePoints({ url: 'no address', metadata: {}, schemaTypes: new Map() }),
      PAGE_TYPES.map(() => 0),
    );
  });
});
