import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crawl, startCrawl } from './support/crawl.ts';
import { linking, pagesAsked, robotsTxt, sitemap, siteOf } from './support/crawl-site.ts';
import { shared } from './support/shared.ts';
import { type Site, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** Which pages a crawl visits. This does not depend on the database. */

const trawl = await shared(startTrawl());
const NO_SITEMAP = { sitemap: 'skip' };

const refusal = async (body: object, path = '/v2/crawl') => {
  const { status, body: answer } = await trawl.post(path, body);
  return { status, code: answer.code, error: answer.error };
};

describe('the scope of a crawl', () => {
  test('is the whole site when requested', async () => {
    await using site = await siteOf({ '/docs/': ['/', '/docs/a'], '/docs/a': [], '/': ['/blog'], '/blog': [] });
    const done = await crawl(trawl, site.start, { crawlEntireDomain: true });
    assert.deepEqual(done.paths, ['/', '/blog', '/docs/', '/docs/a']);
  });

  test('ends at the maximum depth, counted in links from the start', async () => {
    await using site = await siteOf({ '/': ['/1'], '/1': ['/2'], '/2': ['/3'], '/3': [] });
    assert.deepEqual((await crawl(trawl, site.start, { ...NO_SITEMAP, maxDiscoveryDepth: 2 })).paths, [
      '/',
      '/1',
      '/2',
    ]);
    assert.deepEqual((await crawl(trawl, site.start, { ...NO_SITEMAP, maxDiscoveryDepth: 0 })).paths, ['/']);
    assert.equal(pagesAsked(site).includes('/3'), false);
  });

  test('follows patterns for the path or for the whole address', async () => {
    const pages = {
      '/': ['/blog/a', '/blog/b', '/shop/a', '/blog/a?x=1'],
      '/blog/a': [],
      '/blog/b': [],
      '/shop/a': [],
    };
    await using site = await siteOf(pages);
    const paths = async (options: Record<string, unknown>) => (await crawl(trawl, site.start, options)).paths;
    assert.deepEqual(await paths({ includePaths: ['^/blog/'] }), ['/', '/blog/a', '/blog/a?x=1', '/blog/b']);
    assert.deepEqual(await paths({ includePaths: ['^/blog/'], excludePaths: ['b$'] }), ['/', '/blog/a', '/blog/a?x=1']);
    assert.deepEqual(await paths({ excludePaths: ['\\?x=', 'shop'], regexOnFullURL: true }), [
      '/',
      '/blog/a',
      '/blog/b',
    ]);
    assert.deepEqual(await paths({ ignoreQueryParameters: true }), ['/', '/blog/a', '/blog/b', '/shop/a']);
  });

  test('extends one hop to other sites, but not to their home pages', async () => {
    await using other = await siteOf({ '/': [], '/page': ['/behind', '/'], '/behind': [] });
    await using site = await siteOf({ '/': [other.url('/'), other.url('/page')] });
    const scrapeOptions = { headers: { 'x-api-key': 'of the site', 'Accept-Language': 'pt' } };
    const done = await crawl(trawl, site.start, { allowExternalLinks: true, scrapeOptions });
    assert.deepEqual(done.paths, ['/', other.url('/page')].sort());
    assert.deepEqual(pagesAsked(other), ['/page']);
    const sent = ({ requests }: Site) => requests.map(({ headers }) => headers['x-api-key']);
    assert.deepEqual(new Set(sent(other)), new Set([undefined]), 'headers of the caller are for the site');
    assert.ok(sent(site).includes('of the site'));
    assert.ok(other.requests.some(({ headers }) => headers['accept-language'] === 'pt'));
    assert.deepEqual((await crawl(trawl, site.start)).paths, ['/']);
  });

  test('depends on the address of a page after redirects', async () => {
    await using other = await siteOf({ '/landed': [] });
    await using site = await siteOf({ '/': ['/away', '/near', '/hidden'], '/here': ['/behind'], '/behind': [] });
    site.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /secret'));
    site.page('/away', { status: 302, headers: { location: other.url('/landed') } });
    site.page('/near', { status: 302, headers: { location: '/here' } });
    site.page('/hidden', { status: 302, headers: { location: '/secret' } });
    const done = await crawl(trawl, site.start);
    assert.deepEqual(done.paths, ['/', '/behind', '/here']);
    assert.deepEqual(done.robotsBlocked, [site.url('/hidden')]);
    const [error] = done.errors;
    assert.deepEqual([done.errors.length, error?.url, error?.code], [1, site.url('/away'), 'CRAWL_OUT_OF_SCOPE']);
    assert.ok(error?.error.includes(other.url('/landed')), error?.error);
  });

  test('starts from the redirect target of the start address, within its site', async () => {
    await using site = await siteOf({ '/en/': ['/en/a', '/docs/b'], '/en/a': [], '/docs/b': [] });
    site.page('/docs', { status: 301, headers: { location: '/en/' } });
    assert.deepEqual((await crawl(trawl, site.url('/docs'))).paths, ['/docs/b', '/en/']);
    await using far = await startSite();
    far.page('/', { status: 301, headers: { location: site.url('/en/') } });
    const done = await crawl(trawl, far.url('/'));
    assert.deepEqual([done.status, done.paths], ['completed', []]);
    assert.match(done.errors[0]?.error ?? '', /Start the crawl there/);
  });
});

describe('a crawl', () => {
  test('follows no link marked nofollow, by the link, the page or the header', async () => {
    await using site = await siteOf({
      '/': [{ href: '/no', rel: 'nofollow' }, '/meta', '/header'],
      '/no': [],
      '/never': [],
    });
    site.page('/meta', linking('/meta', ['/never'], '<meta name="robots" content="noindex, nofollow">'));
    site.page('/header', { headers: { 'x-robots-tag': 'nofollow' }, body: linking('/header', ['/never']) });
    assert.deepEqual((await crawl(trawl, site.start)).paths, ['/', '/header', '/meta']);
  });

  test('starts at an address without a scheme', async () => {
    await using site = await siteOf({ '/': ['/a'], '/a': [] });
    site.page('/sitemap.xml', sitemap([site.url('/b')]));
    site.page('/b', linking('/b', []));
    const done = await crawl(trawl, site.start, { url: new URL(site.start).host });
    assert.deepEqual([done.paths, done.errors], [['/', '/a', '/b'], []]);
  });

  test('returns error pages, but does not follow their links', async () => {
    await using site = await siteOf({ '/': ['/lost'], '/maze': [] });
    site.page('/lost', { status: 404, body: linking('/lost', ['/maze']) });
    const done = await crawl(trawl, site.start);
    assert.deepEqual(done.data.map(({ metadata }) => metadata.statusCode).sort(), [200, 404]);
    assert.deepEqual(pagesAsked(site), ['/', '/lost']);
  });

  test('ignores canonical links that all name the home page', async () => {
    await using site = await startSite();
    const canonical = '<link rel="canonical" href="/">';
    site.page('/', linking('/', ['/a', '/b'], canonical));
    for (const path of ['/a', '/b']) site.page(path, linking(path, ['/'], canonical));
    assert.deepEqual((await crawl(trawl, site.url('/'))).paths, ['/', '/a', '/b']);
  });

  test('returns both pages when each names the other as canonical', async () => {
    await using site = await siteOf({ '/': ['/a', '/b'] });
    site.page('/a', linking('/a', [], '<link rel="canonical" href="/b">'));
    site.page('/b', linking('/b', [], '<link rel="canonical" href="/a">'));
    assert.deepEqual((await crawl(trawl, site.start)).paths, ['/', '/a', '/b']);
  });

  test('escapes endless calendars, and reports it', async () => {
    const month = (date: Date) => `/calendar?month=${date.toISOString().slice(0, 7)}`;
    await using site = await siteOf({ '/': [month(new Date())] });
    site.page('/calendar', (request, response) => {
      const date = new Date(`${request.url?.split('=')[1]}-01T00:00:00Z`);
      date.setUTCMonth(date.getUTCMonth() + 1);
      response.writeHead(200, { 'content-type': 'text/html' }).end(linking('/calendar', [month(date)]));
    });
    const done = await crawl(trawl, site.start, { limit: 500, ...NO_SITEMAP });
    // The rest of this year, and two more.
    assert.ok(done.completed > 24 && done.completed < 40, `${done.completed} months`);
    assert.deepEqual(
      done.errors.map(({ code }) => code),
      ['CRAWL_TRAP'],
    );
  });

  test('escapes ever-growing paths, and reports it', async () => {
    await using site = await startSite();
    for (let depth = 0; depth < 40; depth++) {
      const path = `/${'x/'.repeat(depth)}`;
      site.page(path, linking(path, ['x/']));
    }
    const done = await crawl(trawl, site.url('/'), { limit: 500, ...NO_SITEMAP });
    assert.ok(done.completed < 10, `${done.completed} pages`);
    assert.deepEqual(
      done.errors.map(({ code }) => code),
      ['CRAWL_TRAP'],
    );
  });

  test('treats pages that differ only in a session id as one', async () => {
    await using site = await siteOf({ '/': ['/list;jsessionid=0A1'] });
    let visits = 0;
    for (const id of ['0A1', '1A1', '2A1']) {
      site.page(`/list;jsessionid=${id}`, (_request, response) => {
        visits += 1;
        const body = linking('/list', [`/list;jsessionid=${visits}A1`]);
        response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      });
    }
    assert.equal((await crawl(trawl, site.start, NO_SITEMAP)).completed, 2);
    assert.equal(visits, 1);
  });

  test('reports that there is no sitemap to go by', async () => {
    await using site = await siteOf({ '/': [] });
    const done = await crawl(trawl, site.start, { sitemap: 'only' });
    assert.deepEqual([done.status, done.total, pagesAsked(site)], ['completed', 0, []]);
    assert.deepEqual(
      done.errors.map(({ code }) => code),
      ['CRAWL_NO_SITEMAP'],
    );
  });

  test('waits as long as a host asks for with Retry-After', async () => {
    await using site = await siteOf({ '/': ['/busy'] });
    const times: number[] = [];
    site.page('/busy', (_request, response) => {
      times.push(performance.now());
      if (times.length === 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(linking('/busy', []));
    });
    const done = await crawl(trawl, site.start, NO_SITEMAP);
    assert.deepEqual([done.paths, done.errors], [['/', '/busy'], []]);
    const [first = 0, second = 0] = times;
    assert.ok(second - first >= 1000, `${second - first} ms`);
  });

  test('keeps the pace set by the caller or by the site', async () => {
    for (const told of ['caller', 'site']) {
      await using site = await siteOf({ '/': ['/1', '/2'] });
      if (told === 'site') site.page('/robots.txt', robotsTxt('User-agent: *', 'Crawl-delay: 0.2'));
      const times: number[] = [];
      // Each page leads to the next ones, so there is always something new and something waiting.
      for (let page = 1; page <= 5; page++) {
        site.page(`/${page}`, (_request, response) => {
          times.push(performance.now());
          const body = linking(`/${page}`, page < 4 ? [`/${page + 1}`, `/${page + 2}`] : ['/']);
          response.writeHead(200, { 'content-type': 'text/html' }).end(body);
        });
      }
      const done = await crawl(trawl, site.start, { ...NO_SITEMAP, ...(told === 'caller' ? { delay: 0.2 } : {}) });
      assert.equal(done.completed, 6);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      // Allows for some milliseconds of variation in the arrival of requests.
      assert.ok(
        gaps.every((gap) => gap > 150),
        `${told}: ${gaps.map(Math.round)} ms`,
      );
    }
  });

  test('derives options from a prompt, and explicit options take precedence', async () => {
    await using site = await siteOf({
      '/': ['/blog/a', '/shop', '/blog/b'],
      '/blog/a': [],
      '/blog/b': [],
      '/shop': [],
    });
    const { paths } = await crawl(trawl, site.start, { prompt: 'only the blog' });
    assert.deepEqual(paths, ['/', '/blog/a', '/blog/b']);
    const written = await crawl(trawl, site.start, { prompt: 'only the blog, at most 1 page', limit: 2 });
    assert.equal(written.completed, 2);
  });

  test('starts once when its request is repeated', async () => {
    await using site = await siteOf({ '/': [] });
    const headers = { 'x-idempotency-key': 'crawl once' };
    const body = { url: site.start };
    const id = await startCrawl(trawl, body, { headers });
    assert.equal(await startCrawl(trawl, body, { headers }), id);
    const { status, body: answer } = await trawl.call('POST', '/v2/crawl', { ...body, limit: 5 }, { headers });
    assert.deepEqual([status, answer.code], [409, 'CONFLICT']);
  });
});

describe('a crawl that cannot start', () => {
  const url = 'http://127.0.0.1:1/';
  test('names the invalid regular expression', async () => {
    const answer = await refusal({ url, includePaths: ['^/ok', '/blog/(.*'] });
    assert.deepEqual([answer.status, answer.code], [400, 'BAD_REQUEST']);
    assert.ok(answer.error.includes('"/blog/(.*" in "includePaths"'), answer.error);
    assert.match((await refusal({ url, excludePaths: ['(?=x)'] })).error, /look-ahead/);
  });

  test('says that its start address may not be fetched', async () => {
    const answer = await refusal({ url: 'http://169.254.169.254/latest/meta-data' });
    assert.deepEqual([answer.status, answer.code], [403, 'SCRAPE_BLOCKED_TARGET']);
  });

  test('names the invalid field', async () => {
    for (const [body, told] of [
      [{}, /url/],
      [{ url: 'ftp://example.com' }, /http/],
      [{ url, limit: 0 }, /limit/],
      [{ url, delay: -1 }, /delay/],
      [{ url, sitemap: 'maybe' }, /sitemap/],
      [{ url, prompt: 'at most 9999999k pages' }, /prompt: .*limit/],
      [{ url, prompt: 'wait 100 minutes between pages' }, /prompt: .*delay/],
      [{ url, maxDepth: 3 }, /maxDepth/],
      [{ url, robotsUserAgent: 'a\nb' }, /robotsUserAgent/],
      [{ url, scrapeOptions: { format: 'markdown' } }, /format/],
      [{ url, webhook: 'ftp://example.com' }, /webhook\.url/],
    ] as const) {
      const { status, error } = await refusal(body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(error, told);
    }
  });
});
