import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PlainKind, readPlain } from './read-plain.ts';

function markdownOf(kind: PlainKind, text: string, url = 'https://site.example/data'): string {
  return readPlain(kind, text, url).markdown;
}

describe('JSON', () => {
  it('is indented in a fenced block', () => {
    assert.equal(
      markdownOf('json', '{"a":[1,{"b":[]}],"c":{}}'),
      '```json\n{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}\n```',
    );
  });

  it('keeps numbers, escapes, repeated keys and key order as written', () => {
    const json = '{"2":12345678901234567890,"1":1.50,"1":"\\u00e9\\"{[,"}';
    assert.equal(
      markdownOf('json', json),
      '```json\n{\n  "2": 12345678901234567890,\n  "1": 1.50,\n  "1": "\\u00e9\\"{[,"\n}\n```',
    );
  });

  it('is unchanged when it is invalid, too deep or too large', () => {
    for (const json of ['{bad', `${'['.repeat(100)}${']'.repeat(100)}`, `[${'1,'.repeat(2_600_000)}1]`]) {
      assert.ok(markdownOf('json', json) === `\`\`\`json\n${json}\n\`\`\``);
    }
  });

  it('has a fence longer than any inside it', () => {
    assert.equal(markdownOf('json', '"````"'), '`````json\n"````"\n`````');
  });

  it('is a page when it is a JSON Feed', () => {
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'My feed',
      home_page_url: 'https://site.example/',
      items: [
        {
          url: '/1',
          title: 'One',
          date_published: '2025-01-02T03:04:05Z',
          authors: [{ name: 'Ann' }, { name: 'Bob' }],
          content_html: '<p>Hello <b>you</b></p>',
        },
      ],
    };
    const { markdown, title } = readPlain('json', JSON.stringify(feed), 'https://site.example/feed.json');
    assert.equal(title, 'My feed');
    assert.equal(
      markdown,
      '# [My feed](https://site.example/)\n\n## [One](https://site.example/1)\n\n2025-01-02T03:04:05.000Z · Ann, Bob\n\nHello **you**',
    );
  });
});

describe('XML', () => {
  it('is kept in a fenced block', () => {
    assert.equal(markdownOf('xml', '\ufeff<a>\r\n<b/></a>'), '```xml\n<a>\n<b/></a>\n```');
  });

  it('is a page when it is RSS', () => {
    const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
      <title>News &amp;amp; more</title><link>https://site.example/</link><description>About &lt;b&gt;us&lt;/b&gt;</description>
      <item><title><![CDATA[One & two]]></title><link>/1</link><pubDate>Mon, 06 Sep 2021 00:01:00 +0200</pubDate><dc:creator>Ann</dc:creator>
        <description>&lt;p&gt;Hello &lt;a href="x"&gt;you&lt;/a&gt;&lt;/p&gt;&lt;ul&gt;&lt;li&gt;a&lt;li&gt;b&lt;/ul&gt;</description></item>
      <item><guid>https://site.example/2</guid><pubDate>some day</pubDate></item>
    </channel></rss>`;
    const { markdown, title } = readPlain('xml', rss, 'https://site.example/feed');
    assert.equal(title, 'News & more');
    assert.equal(
      markdown,
      `# [News & more](https://site.example/)

About **us**

## [One & two](https://site.example/1)

2021-09-05T22:01:00.000Z · Ann

Hello [you](https://site.example/x)

- a
- b

## [https://site.example/2](https://site.example/2)

some day`,
    );
  });

  it('is a page when it is RSS 1.0', () => {
    const rdf =
      '<rdf:RDF><channel><title>T</title></channel><item><title>One</title><link>https://x.example/1</link><dc:date>2020-01-01</dc:date></item></rdf:RDF>';
    assert.equal(markdownOf('xml', rdf), '# T\n\n## [One](https://x.example/1)\n\n2020-01-01T00:00:00.000Z');
  });

  it('is a page when it is Atom', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="self" href="/f"/><link href="https://x.example/"/><author><name>Ann</name></author>
      <entry><title>E</title><link rel="replies" href="/r"/><link href="e1"/><updated>2020-01-01T00:00:00Z</updated><content type="xhtml"><div>Hello <b>my</b> world</div></content></entry></feed>`;
    assert.equal(
      markdownOf('xml', atom),
      '# [T](https://x.example/)\n\n## [E](https://x.example/e1)\n\n2020-01-01T00:00:00.000Z · Ann\n\nHello my world',
    );
  });

  it('is a list when it is a sitemap or an index of sitemaps', () => {
    const sitemap =
      '<urlset><url><loc> https://x.example/a </loc><lastmod>2020-01-01</lastmod></url><url><loc>https://x.example/b?c&amp;d</loc></url><url/></urlset>';
    assert.equal(markdownOf('xml', sitemap), '- <https://x.example/a> (2020-01-01)\n- <https://x.example/b?c&d>');
    assert.equal(
      markdownOf('xml', '<sitemapindex><sitemap><loc>https://x.example/1.xml</loc></sitemap></sitemapindex>'),
      '- <https://x.example/1.xml>',
    );
  });

  it('expands no entities', () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>';
    assert.ok(!markdownOf('xml', bomb).includes('boomboom'));
  });
});

describe('comma-separated values', () => {
  const tables: [title: string, csv: string, expected: string][] = [
    ['are a table', 'a,b\r\n1,2\r\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['may be quoted', 'a,b\n"x, ""y""","two\nlines"', '| a | b |\n| --- | --- |\n| x, "y" | two<br>lines |'],
    ['may be divided by semicolons', 'a;b\n"1,5";2,5\n', '| a | b |\n| --- | --- |\n| 1,5 | 2,5 |'],
    ['may be divided by tabs', 'a, or b\tc\n1\t2', '| a, or b | c |\n| --- | --- |\n| 1 | 2 |'],
    [
      'may differ in length and have empty lines',
      'a,b\n\n1\n1,2,3\n',
      '| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |',
    ],
    ['may contain bars', 'a,b\nx|y,2', '| a | b |\n| --- | --- |\n| x\\|y | 2 |'],
    ['may have one column', 'a\n1', '| a |\n| --- |\n| 1 |'],
    ['stay as they are when a quote is never closed', 'a,"b\n1,2', '```csv\na,"b\n1,2\n```'],
    ['give nothing when there is nothing', '\n', ''],
  ];
  for (const [title, csv, expected] of tables) it(title, () => assert.equal(markdownOf('csv', csv), expected));

  it('are cut at a million cells, with a note', () => {
    const markdown = markdownOf('csv', `${Array(1_000).fill('a').join(',')}\n${'1\n'.repeat(2_000)}`);
    assert.match(markdown, /\n\n1001 more rows are not shown\.$/);
  });
});

describe('text', () => {
  it('keeps its lines', () => {
    assert.equal(
      markdownOf('text', '# Title\r\n\r\n* one\n  indented\n', 'https://x.example/llms.txt'),
      '# Title\n\n* one\n  indented',
    );
  });

  it('is fenced when the file extension is that of code', () => {
    assert.equal(markdownOf('text', '# no title\n', 'https://x.example/src/a.PY?raw=1'), '```python\n# no title\n```');
    assert.equal(markdownOf('text', 'x', 'https://x.example/server.log'), '```text\nx\n```');
  });

  it('is read by its file extension when the server sends everything as text', () => {
    assert.equal(markdownOf('text', '{"a":1}', 'https://x.example/a.json'), '```json\n{\n  "a": 1\n}\n```');
    assert.equal(markdownOf('text', 'a\tb', 'https://x.example/a.tsv'), '| a | b |\n| --- | --- |');
    assert.equal(
      markdownOf('text', '<urlset><url><loc>https://x.example/</loc></url></urlset>', 'https://x.example/sitemap.xml'),
      '- <https://x.example/>',
    );
  });
});

it('hostile documents take linear time', () => {
  const documents: [kind: PlainKind, text: string][] = [
    ['xml', '<a>'.repeat(50_000) + '</b>'.repeat(50_000)],
    ['xml', `<rss><channel>${'</x>'.repeat(125_000)}`],
    ['xml', `<a ${'b="c" '.repeat(50_000)}`],
    ['xml', '<![CDATA['.repeat(50_000)],
    ['xml', `<rss><channel>${'<item>'.repeat(90)}${'<description>&lt;div&gt;'.repeat(5)}`],
    ['json', '['.repeat(250_000)],
    ['json', `"${'\\\\'.repeat(250_000)}"`],
    ['json', `${'['.repeat(60)}${'1,'.repeat(250_000)}1${']'.repeat(60)}`],
    ['csv', '"'.repeat(500_000)],
    ['csv', 'a,b\n1\n'.repeat(50_000)],
    ['csv', `${'a,'.repeat(125_000)}\n${'b\n'.repeat(50_000)}`],
    ['text', '`'.repeat(500_000)],
  ];
  // CPU time in microseconds, which excludes other work on the machine.
  const before = process.cpuUsage();
  for (const [kind, text] of documents) readPlain(kind, text, 'https://x.example/');
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 5_000_000);
});
