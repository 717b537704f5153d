import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import { trawlError } from '../fetch/testing/fetching.ts';
import { serveBytes, serveHttp, serveTcp } from '../fetch/testing/servers.ts';
import { readSitemap, readSitemaps, readSiteSitemaps, type SitemapOptions, type SitemapRead } from './sitemaps.ts';

type Body = string | Buffer;

interface Result {
  /** The requested paths. */
  found: string[];
  problems: string[];
  batches: SitemapRead[];
}

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

async function collect(reads: AsyncIterable<SitemapRead>): Promise<Result> {
  const batches = await toArray(reads);
  return {
    found: batches.flatMap(({ entries }) => entries.map(({ url }) => new URL(url).pathname)),
    problems: batches.map(({ problem }) => problem).filter((problem) => problem !== undefined),
    batches,
  };
}

/** A site with these files. All other paths are a 404. */
async function siteOf(files: Record<string, Body | { type: string; body: Body }>) {
  const asked: string[] = [];
  const server = await serveHttp((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const file = files[path];
    if (file === undefined) response.writeHead(404).end('Not found');
    else if (typeof file === 'string' || Buffer.isBuffer(file)) response.end(file);
    else response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  const fetcher = createFetcher({ allowNetworks: ['127.0.0.1'], maxBodyBytes: 8 * 1024 * 1024 });
  const deadline = new Deadline(30_000);
  const options: SitemapOptions = { fetcher, deadline, share: 'test' };
  return {
    asked,
    options,
    url: (path: string) => server.url + path,
    read: (path: string, more: Partial<SitemapOptions> = {}) =>
      collect(readSitemap(server.url + path, { ...options, ...more })),
    readAll: (...paths: string[]) =>
      collect(
        readSitemaps(
          paths.map((path) => server.url + path),
          options,
        ),
      ),
    readSite: (named: readonly string[] = []) =>
      collect(readSiteSitemaps(new URL('/start', server.url), named, options)),
    async [Symbol.asyncDispose]() {
      deadline[Symbol.dispose]();
      await fetcher.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const urlset = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${path}</loc></url>`).join('')}</urlset>`;
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('reading a sitemap', () => {
  const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${urlset('/\xfcber')}`, 'latin1');
  const utf16 = Buffer.from(`\ufeff${urlset('/über')}`, 'utf16le');
  for (const [name, file, expected] of [
    ['XML', urlset('/a', '/b'), ['/a', '/b']],
    ['XML that is called a page', { type: 'text/html', body: urlset('/a') }, ['/a']],
    ['gzip', gzipSync(urlset('/a', '/b')), ['/a', '/b']],
    ['gzip declared as XML', { type: 'application/xml', body: gzipSync(urlset('/a')) }, ['/a']],
    ['lines', { type: 'text/plain', body: 'http://127.0.0.1/a\nhttp://127.0.0.1/b' }, ['/a', '/b']],
    ['compressed lines', gzipSync('http://127.0.0.1/a\nhttp://127.0.0.1/b'), ['/a', '/b']],
    ['Latin-1', { type: 'application/xml', body: latin1 }, ['/%C3%BCber']],
    ['compressed Latin-1', gzipSync(latin1), ['/%C3%BCber']],
    ['UTF-16', { type: 'application/xml', body: utf16 }, ['/%C3%BCber']],
    ['compressed UTF-16', gzipSync(utf16), ['/%C3%BCber']],
    [
      'UTF-8 in a compressed file that declares an unknown encoding',
      gzipSync(`<?xml version="1.0" encoding="x-none"?>${urlset('/ü')}`),
      ['/%C3%BC'],
    ],
    [
      'gzip with several members',
      Buffer.concat([gzipSync('<urlset><url><loc>/a'), gzipSync('</loc></url></urlset>')]),
      ['/a'],
    ],
    ['an empty file', '', []],
  ] as const) {
    test(`accepts ${name}`, async () => {
      await using site = await siteOf({ '/sitemap': file });
      const { found, problems } = await site.read('/sitemap');
      assert.deepEqual([found, problems], [expected, []]);
    });
  }

  test('yields many addresses in batches', async () => {
    const paths = Array.from({ length: 12_345 }, (_, n) => `/a-page-with-a-name-of-usual-length/${n}`);
    await using site = await siteOf({ '/plain': urlset(...paths), '/packed': gzipSync(urlset(...paths)) });
    for (const path of ['/plain', '/packed']) {
      const { found, batches } = await site.read(path);
      assert.deepEqual(found, paths);
      assert.ok(batches.length > 4 && batches.every(({ entries }) => entries.length <= 3_000));
    }
  });

  test('yields the addresses before the point where a file is truncated', async () => {
    const packed = gzipSync(urlset('/a', '/b', '/c'), { level: 0 });
    await using site = await siteOf({
      '/cut.gz': packed.subarray(0, -30),
      '/bad.gz': Buffer.concat([packed.subarray(0, 80), Buffer.alloc(80, 7)]),
    });
    const cut = await site.read('/cut.gz');
    assert.deepEqual(cut.found, ['/a', '/b']);
    assert.match(cut.problems.join(), /\/cut\.gz was not read to its end: its gzip data is damaged\./);
    assert.equal((await site.read('/bad.gz')).problems.length, 1);
  });

  test('yields the addresses that arrived before the connection closed', async () => {
    const body = `<urlset><url><loc>/a</loc></url><url><loc>/b`;
    await using server = await serveBytes(
      `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 500\r\n\r\n${body}`,
    );
    await using site = await siteOf({});
    const { found, problems } = await collect(readSitemap(server.url, site.options));
    assert.deepEqual(found, ['/a']);
    assert.match(problems.join(), /the connection closed before it was complete/);
  });

  test('stops at the limit on the decompressed size', async () => {
    const file = `${urlset('/a')}${' '.repeat(3_000_000)}${urlset('/b')}`;
    await using site = await siteOf({ '/s.gz': gzipSync(file), '/s.xml': file });
    for (const path of ['/s.gz', '/s.xml']) {
      const { found, problems } = await site.read(path, { maxBytes: 2_000_000 });
      assert.deepEqual(found, ['/a']);
      assert.match(problems.join(), /larger than 2 MB/);
      assert.deepEqual((await site.read(path)).found, ['/a', '/b']);
    }
  });

  test('decompresses no more of a bomb than the limit', async () => {
    const member = gzipSync(Buffer.alloc(8_000_000, ' '));
    await using site = await siteOf({ '/bomb.gz': Buffer.concat(Array.from({ length: 100 }, () => member)) });
    const before = process.memoryUsage.rss();
    const { problems } = await site.read('/bomb.gz');
    assert.match(problems.join(), /larger than 52 MB/);
    assert.ok(process.memoryUsage.rss() - before < 200_000_000);
  });

  test('reports a missing sitemap', async () => {
    await using site = await siteOf({ '/page': '<!doctype html><html><url><loc>/a</loc></url></html>' });
    assert.match((await site.read('/gone')).problems.join(), /\/gone responded with 404\./);
    assert.match((await site.read('/page')).problems.join(), /\/page is not a sitemap\./);
  });

  test('waits a minute for a response, and reports the timeout', async (t) => {
    const asked = Promise.withResolvers<void>();
    await using server = await serveTcp((socket) => void socket.once('data', () => asked.resolve()));
    await using site = await siteOf({});
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = toArray(readSitemap(`${server.url}/sitemap.xml`, site.options));
    await asked.promise;
    t.mock.timers.tick(60_000);
    await assert.rejects(reading, trawlError('SCRAPE_TIMEOUT', /\/sitemap\.xml did not arrive within 60 s\.$/));
  });

  test('ends with the deadline', async () => {
    const body = urlset(...Array.from({ length: 20_000 }, (_, n) => `/${n}`));
    await using site = await siteOf({ '/s.xml': body });
    const cancel = new AbortController();
    using deadline = new Deadline(10_000, cancel.signal);
    const reads = readSitemap(site.url('/s.xml'), { ...site.options, deadline });
    await reads.next();
    cancel.abort(new TrawlError('SCRAPE_TIMEOUT', 'Too late.'));
    await assert.rejects(toArray(reads), trawlError('SCRAPE_TIMEOUT', /^Too late\.$/));
  });
});

describe('reading all sitemaps', () => {
  test('follows indexes, reads each sitemap once, and skips those that cannot be fetched', async () => {
    await using site = await siteOf({
      '/index.xml': index(
        '/one.xml',
        '/gone.xml',
        'http://10.0.0.1/private.xml',
        '/more.xml',
        '/index.xml',
        '/one.xml',
      ),
      '/more.xml': index('/index.xml', '/two.xml.gz'),
      '/one.xml': urlset('/a'),
      '/two.xml.gz': gzipSync(urlset('/b')),
    });
    const { found, problems, batches } = await site.readAll('/index.xml');
    assert.deepEqual(found, ['/a', '/b']);
    assert.deepEqual(site.asked, ['/index.xml', '/one.xml', '/gone.xml', '/more.xml', '/two.xml.gz']);
    assert.equal(problems.length, 2);
    assert.match(problems[1] ?? '', /^http:\/\/10\.0\.0\.1\/private\.xml: /);
    assert.equal(batches.find(({ entries }) => entries.length > 0)?.sitemap, site.url('/one.xml'));
  });

  test('fetches four at a time, and yields their addresses in the order of the index', async () => {
    const held: (() => void)[] = [];
    let peak = 0;
    const names = Array.from({ length: 10 }, (_, n) => `/${n}.xml`);
    await using server = await serveHttp((request, response) => {
      const path = request.url ?? '';
      if (path === '/index.xml') {
        response.end(index(...names));
        return;
      }
      held.push(() => response.end(urlset(`/in${path}`)));
      peak = Math.max(peak, held.length);
      // As many as can arrive before one is answered have arrived. They are answered from the last to the first.
      if (held.length === 4 || path >= '/8') for (const answer of held.splice(0).reverse()) answer();
    });
    await using site = await siteOf({});
    const { found } = await collect(readSitemaps([`${server.url}/index.xml`], site.options));
    assert.deepEqual(
      found,
      names.map((name) => `/in${name}`),
    );
    assert.equal(peak, 4);
  });

  test('cancels what it fetches ahead when the reader stops', async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    await using server = await serveHttp((request, response) => {
      if (request.url === '/1.xml') response.end(urlset('/a'));
      else request.socket.once('close', () => resolve());
    });
    await using site = await siteOf({});
    const reads = readSitemaps([`${server.url}/1.xml`, `${server.url}/2.xml`], site.options);
    for await (const { entries } of reads) {
      assert.equal(entries.length, 1);
      break;
    }
    await hungUp;
  });

  test('reads only those that robots.txt names', async () => {
    await using site = await siteOf({ '/own.xml': urlset('/a'), '/sitemap.xml': urlset('/b') });
    const { found } = await site.readSite(['/own.xml', 'ftp://site.example/x', 'http://[']);
    assert.deepEqual(found, ['/a']);
    assert.deepEqual(site.asked, ['/own.xml']);
  });

  test('tries the usual places too when those that robots.txt names contain nothing', async () => {
    await using site = await siteOf({
      '/page.xml': '<html><p>Welcome</p></html>',
      '/index.xml': index('/gone.xml'),
      '/sitemap_index.xml': index('/one.xml'),
      '/one.xml': urlset('/a'),
    });
    const { found, problems } = await site.readSite(['/page.xml', '/index.xml', '/sitemap.xml']);
    assert.deepEqual([found, problems.length], [['/a'], 3]);
    assert.deepEqual(site.asked.slice(-2), ['/sitemap_index.xml', '/one.xml']);
    assert.equal(site.asked.filter((path) => path === '/sitemap.xml').length, 1);
  });

  test('tries the usual places when robots.txt names none', async () => {
    await using site = await siteOf({
      '/sitemap.xml': '<html><p>Welcome</p></html>',
      '/sitemap-index.xml': index('/one.xml'),
      '/one.xml': urlset('/a'),
      '/wp-sitemap.xml': urlset('/b'),
    });
    assert.deepEqual((await site.readSite(['file:///x'])).found, ['/a']);
    assert.deepEqual(site.asked, ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml', '/one.xml']);
  });

  test('finds nothing on a site without sitemaps', async () => {
    await using site = await siteOf({});
    assert.deepEqual(await site.readSite(), { found: [], problems: [], batches: [] });
    assert.equal(site.asked.length, 5);
  });
});
