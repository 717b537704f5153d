import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLinks } from './links.ts';
import { parseHtml } from './parse-html.ts';

const PAGE = 'https://site.example/docs/page?q=1#here';

function linksOf(html: string): string[] {
  const tree = parseHtml(html, PAGE);
  return readLinks(tree.root.children, tree.baseUrl);
}

describe('readLinks', () => {
  it('returns absolute addresses, each once, in document order', () => {
    const html =
      '<a href="b">b</a><p><a href="/a">a</a></p><a href=" //cdn.example/x ">x</a><map><area href="?p=2"></map><a href="./b">b</a>';
    assert.deepEqual(linksOf(html), [
      'https://site.example/docs/b',
      'https://site.example/a',
      'https://cdn.example/x',
      'https://site.example/docs/page?p=2',
    ]);
  });

  it('keeps mail and telephone addresses', () => {
    assert.deepEqual(linksOf('<a href="mailto:a@b.example">m</a><a href="tel:+15551234">t</a>'), [
      'mailto:a@b.example',
      'tel:+15551234',
    ]);
  });

  it('leaves out values that are not addresses', () => {
    const html =
      '<a href="javascript:void(0)">j</a><a href="data:text/html,x">d</a><a href="http://[">bad</a><a href="">e</a><a>n</a><a name=x>n</a><a href="mailto:?subject=Look">share</a>';
    assert.deepEqual(linksOf(html), []);
  });

  it('leaves out fragment links within the page', () => {
    const html =
      '<a href="#top">t</a><a href="page?q=1#top">t</a><a href="https://site.example/docs/page?q=1#top">t</a>';
    assert.deepEqual(linksOf(html), []);
  });

  it('keeps the page itself, fragments of other pages, and fragments used for routing', () => {
    const html =
      '<a href="page?q=1">self</a><a href="other#part">part</a><a href="#/inbox">inbox</a><a href="#!/old">old</a>';
    assert.deepEqual(linksOf(html), [
      'https://site.example/docs/page?q=1',
      'https://site.example/docs/other#part',
      'https://site.example/docs/page?q=1#/inbox',
      'https://site.example/docs/page?q=1#!/old',
    ]);
  });

  it('leaves out addresses that no server would accept', () => {
    assert.deepEqual(linksOf(`<a href="/${'x'.repeat(10_000)}">x</a>`), []);
  });

  it('stops at 100,000 addresses', () => {
    const html = Array.from({ length: 100_500 }, (_, index) => `<a href="/${index}">`).join('</a>');
    assert.equal(linksOf(html).length, 100_000);
  });
});
