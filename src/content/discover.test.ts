import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discover } from './discover.ts';
import type { Discovered } from './page-content.ts';
import { parseHtml } from './parse-html.ts';

const PAGE = 'https://site.example/docs/page?q=1#here';

function discovered(html: string): Discovered {
  return discover(parseHtml(html, PAGE), { agent: 'Trawl' });
}

function urlsOf(html: string): string[] {
  return discovered(html).links.map(({ url }) => url);
}

describe('discover', () => {
  it('returns absolute http and https addresses, each once, in document order', () => {
    const html = `<nav hidden><a href="b">b</a></nav><p><a href="/a">a</a></p><a href=" //cdn.example/x ">x</a>
      <map><area href="?p=2"></map><a href="./b">b</a><a href="b#part">b</a>`;
    assert.deepEqual(urlsOf(html), [
      'https://site.example/docs/b',
      'https://site.example/a',
      'https://cdn.example/x',
      'https://site.example/docs/page?p=2',
    ]);
  });

  it('returns frames and the previous and next page of a series', () => {
    const html =
      '<link rel="Next" href="?p=3"><link rel=stylesheet href=x.css><frameset><frame src="menu.html"></frameset>';
    assert.deepEqual(urlsOf(html), ['https://site.example/docs/page?p=3', 'https://site.example/docs/menu.html']);
  });

  it('leaves out everything that is not a page: mail, scripts, files, fragments and broken addresses', () => {
    const html = `<a href="mailto:a@b.example">m</a><a href="javascript:go()">j</a><a href="file:///etc/passwd">f</a>
      <a href="data:text/html,x">d</a><a href="#top">t</a><a href="http://[">b</a><a href="">e</a><a>n</a>
      <a href="/${'x'.repeat(10_000)}">long</a>`;
    assert.deepEqual(urlsOf(html), []);
  });

  it('drops fragments, except those used for routing', () => {
    const html = '<a href="other#part">p</a><a href="#/inbox">i</a><a href="app#!/old">o</a>';
    assert.deepEqual(urlsOf(html), [
      'https://site.example/docs/other',
      'https://site.example/docs/page?q=1#/inbox',
      'https://site.example/docs/app#!/old',
    ]);
  });

  it('resolves against <base>', () => {
    assert.deepEqual(urlsOf('<base href="/root/"><a href="x">x</a>'), ['https://site.example/root/x']);
  });

  it('marks an address as nofollow when every link to it says so', () => {
    const html = `<a href="a" rel="noopener NOFOLLOW">a</a><a href="b" rel=nofollow>b</a><a href="./b">b</a>
      <a href="c" rel="nofollower">c</a>`;
    assert.deepEqual(
      discovered(html).links.map(({ nofollow }) => nofollow),
      [true, false, false],
    );
  });

  it('gives each address the first title among its links', () => {
    const html = `<a href="a"><img src=x alt="A boat"></a><a href="a">Boats</a>
      <a href="b"> </a><a href="b"> Two
      words </a><a href="c" title="From the title"></a><a href="d">${'long '.repeat(100)}</a><a href="e"></a>`;
    const texts = discovered(html).links.map(({ text }) => text);
    assert.deepEqual(texts.toSpliced(3, 1), ['A boat', 'Two words', 'From the title', undefined]);
    assert.ok((texts[3] ?? '').length <= 200);
  });

  it('returns the canonical address and the same page in other languages', () => {
    const html = `<link rel=canonical href="/page"><link rel="alternate" hreflang="de" href="/de/page#x">
      <link rel="alternate" hreflang="fr" href="/fr/page"><link rel="alternate" type="application/rss+xml" href="/feed">`;
    const { canonical, alternates } = discovered(html);
    assert.equal(canonical, 'https://site.example/page');
    assert.deepEqual(alternates, ['https://site.example/de/page', 'https://site.example/fr/page']);
    assert.deepEqual(Object.keys(discovered('<p>x')).sort(), ['links', 'nofollow', 'noindex']);
  });

  for (const [tags, noindex, nofollow] of [
    ['<p>', false, false],
    ['<meta name=robots content="index, follow, max-snippet:20">', false, false],
    ['<meta name="ROBOTS" content="NoIndex">', true, false],
    ['<meta name=robots content="noarchive,nofollow">', false, true],
    ['<meta name=robots content=none>', true, true],
    ['<meta name=trawl content=nofollow>', false, true],
    ['<meta name=googlebot content=nofollow>', false, false],
    ['<meta name=robots content=noindex><meta name=trawl content="index nofollow">', true, true],
  ] as const) {
    it(`reads ${tags}`, () => {
      const found = discovered(tags);
      assert.deepEqual([found.noindex, found.nofollow], [noindex, nofollow]);
    });
  }

  it('stops at 100,000 addresses', () => {
    const html = Array.from({ length: 100_500 }, (_, index) => `<a href="/${index}">`).join('</a>');
    assert.equal(urlsOf(html).length, 100_000);
  });
});
