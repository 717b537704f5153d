import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SitemapBatch, SitemapParser } from './sitemap-parser.ts';

const SITE = 'https://site.example/maps/sitemap.xml';

function parse(text: string, { piece = text.length, complete = true } = {}): SitemapBatch {
  const parser = new SitemapParser(SITE);
  for (let at = 0; at < text.length; at += piece) if (!parser.write(text.slice(at, at + piece))) break;
  parser.end(complete);
  return parser.take();
}

const addresses = (text: string) => parse(text).entries.map(({ url }) => url);
const urlset = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`;

const A = 'https://site.example/a';
const B = 'https://site.example/b';

describe('a sitemap', () => {
  for (const [name, text, expected] of [
    ['in XML', urlset(`<url><loc>${A}</loc></url>`, `<url>\n <loc>\n ${B}\n </loc>\n</url>`), [A, B]],
    ['with a byte order mark and white space before it', `\ufeff\n ${urlset(`<url><loc>${A}</loc></url>`)}`, [A]],
    ['without a namespace', `<urlset><url><loc>${A}</loc></url></urlset>`, [A]],
    ['with a prefix', `<s:urlset xmlns:s="x"><s:url><s:loc>${A}</s:loc></s:url></s:urlset>`, [A]],
    ['in upper case', `<URLSET><URL><LOC>${A}</LOC></URL></URLSET>`, [A]],
    ['under another root', `<root><x><url><loc>${A}</loc></url></x></root>`, [A]],
    ['with CDATA', urlset(`<url><loc><![CDATA[${A}?x=1&y=2]]></loc></url>`), [`${A}?x=1&y=2`]],
    ['with references', urlset(`<url><loc>${A}?x=1&amp;y=&#50;&#x33;</loc></url>`), [`${A}?x=1&y=23`]],
    ['with a bare ampersand', urlset(`<url><loc>${A}?x=1&y=2</loc></url>`), [`${A}?x=1&y=2`]],
    [
      'with comments and instructions',
      urlset(`<!-- <url><loc>${B}</loc></url> --><?x y?><url><!-- x --><loc>${A}</loc></url>`),
      [A],
    ],
    [
      'with pictures and videos',
      urlset(
        `<url><loc>${A}</loc><image:image><image:loc>${B}</image:loc></image:image><video:video><video:loc>${B}</video:loc></video:video></url>`,
      ),
      [A],
    ],
    ['with another loc of a page', urlset(`<url><image:loc>${B}</image:loc><loc>${A}</loc><loc>${B}</loc></url>`), [A]],
    ['without end tags', `<urlset><url><loc>${A}<lastmod>2024-01-01</url><url><loc>${B}</loc></url>`, [A, B]],
    [
      'with empty entries',
      urlset('<url/>', '<url></url>', '<url><loc/></url>', '<url><loc> </loc></url>', `<url><loc>${A}</loc></url>`),
      [A],
    ],
    [
      'with addresses that are not absolute',
      urlset('<url><loc>/a</loc></url>', '<url><loc>//site.example/b</loc></url>'),
      [A, B],
    ],
    ['with fragments', urlset(`<url><loc>${A}#part</loc></url>`), [A]],
    ['in lines', `${A}\r\n\n  ${B}  \nnot an address\n${A}`, [A, B, A]],
    ['that is empty', '', []],
    ['that is a page', `<!doctype html><html><body><url><loc>${A}</loc></url></body></html>`, []],
    ['that is a message', 'Not found', []],
    ['that is JSON', '{"error": "not found"}', []],
  ] as const) {
    test(`${name} is parsed, whole and in pieces`, () => {
      assert.deepEqual(addresses(text), expected);
      for (const piece of [1, 7, 100]) assert.deepEqual(parse(text, { piece }), parse(text), `pieces of ${piece}`);
    });
  }

  for (const [name, text, expected] of [
    [
      'RSS 2.0',
      `<rss><channel><link>${B}</link><image><url>${B}</url></image><item><title>T</title><link>${A}</link><guid>${B}</guid><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate></item></channel></rss>`,
      [{ url: A, lastmod: '2024-01-01T10:00:00.000Z' }],
    ],
    [
      'RSS with addresses as ids',
      `<rss><channel><item><guid>${A}</guid></item><item><guid isPermaLink="false">${B}</guid></item></channel></rss>`,
      [{ url: A }],
    ],
    [
      'RSS 1.0',
      `<rdf:RDF><item rdf:about="x"><link>${A}</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>`,
      [{ url: A, lastmod: '2024-01-01T00:00:00.000Z' }],
    ],
    [
      'Atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${B}"/><entry><link rel="self" href="${B}"/><link rel="alternate" href="${A}"/><updated>2024-01-01T00:00:00Z</updated></entry><entry><link href='/b'/></entry></feed>`,
      [{ url: A, lastmod: '2024-01-01T00:00:00.000Z' }, { url: B }],
    ],
  ] as const) {
    test(`can be a feed: ${name}`, () => assert.deepEqual(parse(text).entries, expected));
  }

  test('yields dates and priorities if it has valid ones', () => {
    const { entries } = parse(
      urlset(
        `<url><loc>${A}</loc><lastmod>2024-05-06</lastmod><priority>0.8</priority></url>`,
        `<url><loc>${A}</loc><lastmod>2024-05-06T07:08:09+02:00</lastmod></url>`,
        `<url><loc>${A}</loc><lastmod>yesterday</lastmod><priority>7</priority></url>`,
      ),
    );
    assert.deepEqual(entries, [
      { url: A, lastmod: '2024-05-06T00:00:00.000Z', priority: 0.8 },
      { url: A, lastmod: '2024-05-06T05:08:09.000Z' },
      { url: A },
    ]);
  });

  test('can list other sitemaps', () => {
    const index = `<sitemapindex><sitemap><loc>${A}.xml</loc><lastmod>2024-01-01</lastmod></sitemap><sitemap><loc>b.xml.gz</loc></sitemap></sitemapindex>`;
    assert.deepEqual(parse(index), {
      entries: [],
      sitemaps: [`${A}.xml`, 'https://site.example/maps/b.xml.gz'],
      dropped: 0,
    });
  });

  test('loses only the address at which it is truncated', () => {
    const xml = urlset(`<url><loc>${A}</loc></url>`, `<url><loc>${B}`);
    assert.deepEqual(parse(xml.replace('</urlset>', '')).entries, [{ url: A }]);
    assert.deepEqual(parse(`${A}\n${B}`, { complete: false }).entries, [{ url: A }]);
  });
});

describe('a hostile sitemap', () => {
  test('yields only web addresses', () => {
    const bad = [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://site.example/x',
      'https://user:secret@site.example/',
      'http://[',
      `https://site.example/${'x'.repeat(10_000)}`,
    ];
    const { entries, dropped } = parse(urlset(...bad.map((address) => `<url><loc>${address}</loc></url>`)));
    assert.deepEqual([entries, dropped], [[], bad.length]);
    assert.deepEqual(addresses(urlset('<url><loc>/@anna</loc></url>')), ['https://site.example/@anna']);
  });

  test('reads no file and expands no entity', () => {
    const text = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "${A}"><!ENTITY b "&a;&a;&a;">]>
      <urlset><url><loc>${A}?&x;&b;</loc></url></urlset>`;
    assert.deepEqual(addresses(text), [`${A}?&x;&b;`]);
  });

  const MB = 1024 * 1024;
  for (const [name, text] of [
    ['endless depth', '<a>'.repeat(MB)],
    ['endless depth with ends', '<a><b></a>'.repeat(MB)],
    ['many elements', '<url><loc/></url>'.repeat(MB / 4)],
    ['a comment without end', `<urlset><!--${'x'.repeat(8 * MB)}`],
    ['an attribute without end', `<urlset x="${'x'.repeat(8 * MB)}`],
    ['many attributes', `<urlset ${'x="1" '.repeat(MB)}>`],
    ['a name without end', `<${'x'.repeat(8 * MB)}`],
    ['a field without end', `<urlset><url><loc>${'x'.repeat(8 * MB)}`],
    ['many references', `<urlset><url><loc>${'&amp;'.repeat(2 * MB)}</loc></url>`],
    ['many open brackets', '<'.repeat(8 * MB)],
    ['CDATA without end', `<urlset><![CDATA[${']'.repeat(8 * MB)}`],
    ['a line without end', `https://${'x'.repeat(8 * MB)}`],
    ['empty lines', '\n'.repeat(8 * MB)],
  ] as const) {
    test(`with ${name} takes little time and memory`, () => {
      const start = process.cpuUsage();
      const { entries } = parse(text, { piece: 64 * 1024 });
      const { user } = process.cpuUsage(start);
      assert.equal(entries.length, 0);
      // At most 1 s here, on a busy machine. Quadratic time would take minutes.
      assert.ok(user < 5_000_000, `${user} µs`);
    });
  }
});
