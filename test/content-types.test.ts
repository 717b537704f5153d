import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());

/** Scrapes a body served with this content type and these further headers. */
async function scrapeAs(contentType: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const path = `/${encodeURIComponent(contentType)}/${site.requests.length}`;
  const url = site.page(path, { headers: { 'content-type': contentType, ...headers }, body });
  return trawl.scrape(url, { formats: ['markdown', 'rawHtml'] });
}

describe('content other than HTML gives useful Markdown', () => {
  const json = '{"island":"Juist","ferries":[{"leaves":"08:30"},{"leaves":"17:00"}]}';

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/ld+json',
    'application/vnd.api+json',
  ]) {
    test(`JSON as ${type}`, async () => {
      const { markdown = '', rawHtml, metadata } = await scrapeAs(type, json);
      assert.match(markdown, /```json/);
      assert.match(markdown, /"island": "Juist"/);
      assert.match(markdown, /"leaves": "17:00"/);
      assert.equal(rawHtml, json);
      assert.equal(metadata.contentType, type.split(';')[0]);
    });
  }

  test('truncated JSON, unchanged', async () => {
    const { markdown = '' } = await scrapeAs('application/json', json.slice(0, 40));
    assert.ok(markdown.includes('"Juist"'));
  });

  test('XML', async () => {
    const { markdown = '' } = await scrapeAs(
      'application/xml',
      '<?xml version="1.0"?><island><name>Juist</name><size unit="km2">16</size></island>',
    );
    assert.match(markdown, /Juist/);
    assert.match(markdown, /16/);
  });

  test('an RSS feed, with its entries and their addresses', async () => {
    const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Island news</title><link>https://island.example/</link>
      <item><title>Storm &amp; calm</title><link>https://island.example/storm</link><description>&lt;p&gt;The storm is over.&lt;/p&gt;</description></item>
      <item><title>New boat</title><link>https://island.example/boat</link></item></channel></rss>`;
    const { markdown = '', metadata } = await scrapeAs('application/rss+xml', feed);
    assert.equal(metadata.title, 'Island news');
    assert.match(markdown, /\[Storm & calm\]\(<?https:\/\/island\.example\/storm>?\)/);
    assert.match(markdown, /The storm is over\./);
    assert.match(markdown, /\[New boat\]\(<?https:\/\/island\.example\/boat>?\)/);
  });

  test('an Atom feed', async () => {
    const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Island news</title>
      <entry><title>Storm</title><link href="https://island.example/storm"/><summary>It is over.</summary></entry></feed>`;
    const { markdown = '' } = await scrapeAs('application/atom+xml', feed);
    assert.match(markdown, /\[Storm\]\(<?https:\/\/island\.example\/storm>?\)/);
    assert.match(markdown, /It is over\./);
  });

  test('a sitemap', async () => {
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://island.example/harbour</loc></url></urlset>`;
    const { markdown = '' } = await scrapeAs('text/xml', sitemap);
    assert.match(markdown, /https:\/\/island\.example\/harbour/);
  });

  test('CSV as a table', async () => {
    const { markdown = '' } = await scrapeAs(
      'text/csv',
      'name,leaves\r\n"Frisia, the old one",08:30\r\nPipe | boat,17:00\r\n',
    );
    assert.match(markdown, /\| *name *\| *leaves *\|/);
    assert.match(markdown, /\| *Frisia, the old one *\| *08:30 *\|/);
    assert.match(markdown, /\| *Pipe \\\| boat *\| *17:00 *\|/);
  });

  test('plain text', async () => {
    const { markdown = '' } = await scrapeAs('text/plain', 'The ferry leaves\nat half past eight.\n');
    assert.match(markdown, /The ferry leaves\s+at half past eight\./);
  });

  test('Markdown, unchanged', async () => {
    const { markdown = '' } = await scrapeAs('text/markdown', '# Ferry\n\n- 08:30\n');
    assert.match(markdown, /^# Ferry$/m);
  });

  test('every other format has its usual shape', async () => {
    const url = site.page('/data.json', { headers: { 'content-type': 'application/json' }, body: json });
    const selectors = [{ selector: 'a', attribute: 'href' }];
    const formats = ['html', 'links', 'images', 'product', { type: 'attributes', selectors }];
    const document = await trawl.scrape(url, { formats });
    assert.equal(typeof document.html, 'string');
    assert.deepEqual(document.links, []);
    assert.deepEqual(document.images, []);
    assert.ok(Array.isArray(document.attributes));
    assert.equal(document.product, undefined);
  });

  test('an empty body gives empty Markdown', async () => {
    for (const type of ['text/html', 'text/plain', 'application/json', 'text/csv', 'application/xml']) {
      const { markdown } = await scrapeAs(type, '');
      assert.equal(markdown, '', type);
    }
  });
});

describe('the type is detected from the content when the header does not give it', () => {
  test('HTML without a content type', async () => {
    const url = site.page('/untyped', (_request, response) => response.writeHead(200).end(html('<h1>Untyped</h1>')));
    const { markdown, metadata } = await trawl.scrape(url);
    assert.match(markdown ?? '', /^# Untyped/);
    assert.equal(metadata.contentType, 'text/html');
  });

  test('HTML sent as application/octet-stream', async () => {
    const { markdown } = await scrapeAs('application/octet-stream', html('<h1>Bytes</h1>'));
    assert.match(markdown ?? '', /^# Bytes/);
  });
});

describe('characters', () => {
  const russian = 'Паром на остров уходит утром';
  const windows1251 = Buffer.from(Array.from(russian, toWindows1251));
  // 船は朝に出ます (The boat leaves in the morning).
  const japanese = '船は朝に出ます';
  const shiftJis = Buffer.from([0x91, 0x44, 0x82, 0xcd, 0x92, 0xa9, 0x82, 0xc9, 0x8f, 0x6f, 0x82, 0xdc, 0x82, 0xb7]);
  const page = (words: Uint8Array, head = '') =>
    Buffer.concat([
      Buffer.from(`<!doctype html><html><head>${head}<title>x</title></head><body><p>`),
      words,
      Buffer.from('</p></body></html>'),
    ]);

  test('windows-1251 named in the header', async () => {
    const { markdown } = await scrapeAs('text/html; charset=windows-1251', page(windows1251));
    assert.equal(markdown?.trim(), russian);
  });

  test('windows-1251 named in the meta tag', async () => {
    const { markdown } = await scrapeAs('text/html', page(windows1251, '<meta charset="windows-1251">'));
    assert.equal(markdown?.trim(), russian);
  });

  test('shift_jis named in the older meta tag', async () => {
    const meta = '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">';
    const { markdown } = await scrapeAs('text/html', page(shiftJis, meta));
    assert.equal(markdown?.trim(), japanese);
  });

  test('UTF-16 with a byte order mark, whatever the header says', async () => {
    const body = Buffer.from(`\ufeff${html(`<p>${japanese}</p>`)}`, 'utf16le');
    for (const type of ['text/html', 'text/html; charset=utf-8']) {
      const { markdown } = await scrapeAs(type, body);
      assert.equal(markdown?.trim(), japanese);
    }
  });

  test('big-endian UTF-16', async () => {
    const body = Buffer.from(`\ufeff${html(`<p>${japanese}</p>`)}`, 'utf16le').swap16();
    const { markdown } = await scrapeAs('text/html', body);
    assert.equal(markdown?.trim(), japanese);
  });

  test('UTF-8 with a byte order mark, which is not part of the text', async () => {
    const { markdown } = await scrapeAs('text/plain', `\ufeff${russian}`);
    assert.equal(markdown?.trim(), russian);
  });

  test('an unknown charset does no harm', async () => {
    const { markdown } = await scrapeAs('text/html; charset=klingon', html(`<p>${russian}</p>`));
    assert.equal(markdown?.trim(), russian);
  });

  test('bytes invalid in the charset are replaced, not refused', async () => {
    const { markdown } = await scrapeAs('text/html; charset=utf-8', page(Buffer.from([0x41, 0xff, 0xfe, 0x42])));
    assert.match(markdown ?? '', /A\ufffd+B/);
  });
});

describe('content codings', () => {
  const words = 'The ferry leaves in the morning.';
  const body = Buffer.from(html(`<p>${words}</p>`));
  for (const [coding, coded] of [
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['gzip, br', brotliCompressSync(gzipSync(body))],
    ['identity', body],
  ] as const) {
    test(coding, async () => {
      const { markdown } = await scrapeAs('text/html; charset=utf-8', coded, { 'content-encoding': coding });
      assert.equal(markdown?.trim(), words);
    });
  }
});

/** windows-1251 encodes the Cyrillic letters as one contiguous range. */
function toWindows1251(letter: string): number {
  const code = letter.charCodeAt(0);
  return code < 0x80 ? code : code - 0x410 + 0xc0;
}
