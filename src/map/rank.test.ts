import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { queryObjects } from 'node:v8';
import { LinkRanking, type RankedLink } from './rank.ts';

function rank(query: string, links: readonly (string | RankedLink)[], most = 100): string[] {
  const ranking = new LinkRanking(query, most);
  for (const link of links) ranking.add(typeof link === 'string' ? { url: link } : link);
  return ranking.best().map(({ url }) => url.replace('https://site.example', ''));
}

const at = (path: string) => `https://site.example${path}`;

describe('ranking links', () => {
  test('puts links with more of the words first', () => {
    const links = ['/about', '/blog/boats', '/blog/old-boats', '/blog/old-harbour'].map(at);
    assert.deepEqual(rank('old boats', links), ['/blog/old-boats', '/blog/boats', '/blog/old-harbour', '/about']);
  });

  test('weighs a rare word more than one that all links have', () => {
    const links = ['/blog/blog-news', '/blog/a', '/blog/b', '/blog/boats'].map(at);
    assert.equal(rank('blog boats', links)[0], '/blog/boats');
  });

  test('reads titles and descriptions, the title before the address before the description', () => {
    const links = [
      { url: at('/1'), title: 'Ropes', description: 'All about boats' },
      { url: at('/2/boats'), title: 'Ropes', description: 'All about ropes' },
      { url: at('/3'), title: 'Boats', description: 'All about ropes' },
      { url: at('/4'), title: 'Ropes' },
    ];
    assert.deepEqual(rank('boat', links), ['/3', '/2/boats', '/1', '/4']);
  });

  test('prefers short texts to long ones with the same words', () => {
    const links = [
      { url: at('/1'), title: 'Boats and ropes and harbours and cranes' },
      { url: at('/2'), title: 'Boats' },
    ];
    assert.deepEqual(rank('boats', links), ['/2', '/1']);
  });

  test('ignores case, accents and plurals', () => {
    for (const [query, path] of [
      ['ÜBER', '/uber-uns'],
      ['uber', '/%C3%BCber-uns'],
      ['pricing', '/PRICING.html'],
      ['api key', '/docs/getApiKeys'],
      ['preis', '/preisliste'],
      ['boats', '/boat'],
    ] as const) {
      assert.equal(rank(query, [at('/other'), at(path)])[0], path, query);
    }
  });

  test('puts a whole word before one that begins with it', () => {
    assert.deepEqual(rank('price', [at('/pricelist'), at('/price')]), ['/price', '/pricelist']);
    assert.deepEqual(rank('art', [at('/articles'), at('/x')]), ['/articles', '/x']);
  });

  test('keeps the order of links that match equally well, or not at all', () => {
    const links = ['/c', '/a', '/boats/2', '/b', '/boats/1'].map(at);
    assert.deepEqual(rank('boats', links), ['/boats/2', '/boats/1', '/c', '/a', '/b']);
    for (const query of ['', '?!', 'unknown'])
      assert.deepEqual(rank(query, links), ['/c', '/a', '/boats/2', '/b', '/boats/1']);
  });

  test('finds the best of many, wherever they are, and returns no more than requested', () => {
    const links = Array.from({ length: 50_000 }, (_, n) => at(n % 5_000 === 7 ? `/boats/${n}` : `/ropes/${n}`));
    const best = rank('boats', links, 10);
    assert.deepEqual(
      best,
      Array.from({ length: 10 }, (_, n) => `/boats/${n * 5_000 + 7}`),
    );
    assert.equal(rank('ropes', links, 3).length, 3);
    assert.deepEqual(rank('ropes', [], 3), []);
  });

  test('holds at most twice as many links as requested', () => {
    class Link {
      readonly url: string;
      constructor(n: number) {
        this.url = at(`/${n}`);
      }
    }
    const ranking = new LinkRanking<Link>('boats', 1_000);
    for (let n = 0; n < 100_000; n++) ranking.add(new Link(n));
    // Collects the links that are no longer referenced, and counts the rest.
    assert.ok(queryObjects(Link, { format: 'count' }) <= 2_000);
    assert.equal(ranking.best().length, 1_000);
  });
});
