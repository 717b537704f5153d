import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPage } from '../read-page.ts';

const TEXT = Array.from(
  { length: 6 },
  (_, index) =>
    `<p>Cell ${index} of an array holds any value, and the cells of an array may hold values of different types.</p>`,
).join('');

function markdownOf(html: string): string {
  const url = 'https://example.test/manual/arrays.html';
  const { markdown = '' } = readPage(
    { html: `<body><div class="section">${html}</div></body>`, url },
    {
      formats: ['markdown'],
      onlyMainContent: true,
      onlyCleanContent: false,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
      attributes: [],
    },
  );
  return markdown;
}

describe('the links to the next page and the previous one', () => {
  const dropped: { name: string; html: string }[] = [
    {
      name: 'with their direction before them (Texinfo)',
      html: '<div class="header"><p>Next: <a href="b.html">Sets of cells</a>, Up: <a href="c.html">Containers</a> [<a href="toc.html">Contents</a>]</p></div>',
    },
    {
      name: 'with a relation, in any language',
      html: '<p>Weiter: <a href="b.html" rel="next">Mengen</a>, Zurück: <a href="c.html" rel="prev">Listen</a> [<a href="toc.html">Inhalt</a>]</p>',
    },
    {
      name: 'with access keys (DocBook)',
      html: '<table><tr><td><a accesskey="p" href="b.html">Zurück</a></td><td><a accesskey="n" href="c.html">Weiter</a></td></tr></table>',
    },
    {
      name: 'of nothing but their direction',
      html: '<div><a href="toc.html">top</a> contents <a href="b.html">← prev</a> <a href="c.html">up</a> <a href="d.html">next →</a></div>',
    },
    {
      name: 'each in a cell of its own',
      html: '<table><tr><td>[<a href="b.html"> &lt;&lt; </a>]</td><td>[<a href="c.html"> Up </a>]</td><td>[<a href="toc.html">Contents</a>]</td></tr></table>',
    },
    {
      name: 'with the titles of these pages',
      html: '<div class="navfooter"><table><tr><td><a accesskey="p" href="b.html">Prev</a></td><td><a accesskey="n" href="c.html">Next</a></td></tr><tr><td>Lists of many cells</td><td>Sets of many cells</td></tr></table></div>',
    },
    {
      name: 'that are pictures',
      html: '<div class="navigate"><a href="b.html"><img src="next.gif" alt="Next"></a></div>',
    },
    {
      name: 'and to the page in other languages',
      html: '<p>Available Languages: <a href="arrays.html">en</a> | <a href="fr/arrays.html" hreflang="fr" rel="alternate">fr</a></p>',
    },
  ];
  const title = '<h2>Arrays</h2>';
  const expected = markdownOf(title + TEXT);
  for (const { name, html } of dropped) {
    it(`go ${name}`, () => {
      assert.equal(markdownOf(html + title + TEXT), expected);
      assert.equal(markdownOf(title + TEXT + html), expected);
    });
  }
});

describe('links like those to the next page', () => {
  const kept: { name: string; html: string; markdown: string }[] = [
    {
      name: 'to the methods of an iterator',
      html: '<ul><li><a href="i.html#n">next</a></li><li><a href="i.html#p">previous</a></li></ul>',
      markdown: '- [next](https://example.test/manual/i.html#n)\n- [previous](https://example.test/manual/i.html#p)',
    },
    {
      name: 'in code',
      html: '<p><a href="i.html#n"><code>next</code></a>, <a href="i.html#p"><code>previous</code></a></p>',
      markdown: '[`next`](https://example.test/manual/i.html#n), [`previous`](https://example.test/manual/i.html#p)',
    },
    {
      name: 'behind the signature of a method',
      html: '<p>next :: <a href="i.html">Item</a> → <a href="i.html">Item</a></p>',
      markdown: 'next :: [Item](https://example.test/manual/i.html) → [Item](https://example.test/manual/i.html)',
    },
    {
      name: 'in a heading',
      html: '<h3><a href="#next">Next</a></h3><p>Gives the value of the next cell, or nothing after the last one.</p>',
      markdown: '### [Next](https://example.test/manual/arrays.html#next)',
    },
  ];
  for (const { name, html, markdown } of kept) {
    it(`stay ${name}`, () => {
      const found = markdownOf(`<h2>Arrays</h2>${TEXT}${html}`);
      assert.ok(found.includes(`\n\n${markdown}`), found);
    });
  }
});
