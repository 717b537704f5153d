import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrawlError } from '../errors.ts';
import { parseHtml } from './parse-html.ts';
import { applyTags, compileSelector, selectAll } from './selectors.ts';
import type { ElementNode, PageTree } from './tree.ts';
import { textOf } from './walk.ts';

const PAGE = `<!DOCTYPE html><html lang=en><head><title>T</title></head><body class="home">
  <nav id=menu><ul><li><a href="/a">A</a><li class="on"><a href="/b" target=_blank>B</a></ul></nav>
  <article class="post big"><h1>Title</h1><p>One</p><p class="ad">Buy</p><div class=post>Inner <p>Two</p></div></article>
  <aside>Side</aside></body></html>`;

function page(html = PAGE): PageTree {
  return parseHtml(html, 'https://example.com/');
}

function texts(elements: readonly ElementNode[]): string[] {
  return elements.map((element) => textOf(element));
}

describe('selectAll', () => {
  const cases: [selector: string, found: string[]][] = [
    ['h1', ['Title']],
    ['H1', ['Title']],
    ['.post > p', ['One', 'Buy', 'Two']],
    ['article.big p:not(.ad)', ['One', 'Two']],
    ['li:nth-child(2) a[target="_blank"]', ['B']],
    ['[href^="/"]', ['A', 'B']],
    ['h1, aside', ['Title', 'Side']],
    ['p + .ad', ['Buy']],
    ['article:has(> .ad) > h1', ['Title']],
    ['#menu li:last-child', ['B']],
    ['[constructor], [__proto__]', []],
    [':root > body > aside', ['Side']],
  ];
  for (const [selector, found] of cases) {
    it(`finds ${found.length} by ${selector}`, () => {
      assert.deepEqual(texts(selectAll(page().root, selector)), found);
    });
  }
});

describe('compileSelector', () => {
  for (const selector of ['', 'p >', '> p', '..', '[x', ':nonsense', 'p::before', ':nth-child(', 'a:not(']) {
    it(`refuses ${JSON.stringify(selector)} and quotes it`, () => {
      assert.throws(
        () => compileSelector(selector),
        (error) =>
          error instanceof TrawlError &&
          error.code === 'BAD_REQUEST' &&
          error.message.startsWith(`"${selector}" is not`),
      );
    });
  }

  it('refuses a selector of more than 1,000 characters', () => {
    assert.throws(() => compileSelector('p,'.repeat(501)), /1002 characters/);
  });

  it('gives up on a selector that would take minutes', () => {
    const siblings = page('<p>x'.repeat(2_000));
    assert.throws(() => selectAll(siblings.root, 'b ~ p ~ p ~ p ~ p'), /takes too much work/);
  });

  it('gives up on nested descendants that would take minutes', () => {
    const deep = page('<div>'.repeat(400));
    assert.throws(() => selectAll(deep.root, 'b div div div div div'), /takes too much work/);
  });
});

describe('applyTags', () => {
  function left(include: string[], exclude: string[]): string {
    const tree = page();
    applyTags(tree, include, exclude);
    return textOf(tree.root);
  }

  it('keeps everything when no selector is given', () => {
    assert.match(left([], []), /A.*Title.*Side/);
  });

  it('keeps only what is included, each once, in document order', () => {
    assert.equal(left(['aside', '.post', 'article'], []), 'TitleOneBuyInner TwoSide');
  });

  it('drops what is excluded from what is included', () => {
    assert.equal(left(['article'], ['.ad', 'nav']), 'TitleOneInner Two');
  });

  it('drops an element that is included and excluded', () => {
    assert.equal(left(['article', 'aside'], ['aside']), 'TitleOneBuyInner Two');
  });

  it('keeps an included element inside an excluded one', () => {
    assert.equal(left(['h1'], ['article']), 'Title');
  });

  it('leaves nothing when nothing matches', () => {
    assert.equal(left(['video'], []), '');
  });

  it('updates the counts', () => {
    const tree = page();
    applyTags(tree, [], ['article', '.on']);
    assert.deepEqual([tree.root.textLength, tree.root.linkLength], ['ASide'.length, 'A'.length]);
  });
});
