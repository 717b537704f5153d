import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addTasks, linking, robotsTxt, sitemap, sitemapIndex, siteOf } from './support/crawl-site.ts';
import * as hostile from './support/hostile.ts';
import { map, mapPaths } from './support/map.ts';
import { shared } from './support/shared.ts';
import { html, type Site, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const trawl = await shared(startTrawl());

/** A site whose robots.txt names one sitemap with these addresses. */
async function siteWithSitemap(paths: readonly string[], links: readonly string[] = []) {
  const site = await siteOf({ '/': links });
  site.page('/robots.txt', robotsTxt(`Sitemap: ${site.url('/map.xml')}`));
  site.page('/map.xml', sitemap(paths.map(site.url)));
  return site;
}

function asked({ requests }: Site): string[] {
  return requests.map(({ path }) => path);
}

describe('where the addresses of a map come from', () => {
  test('the start, then sitemaps, then the links of the page, each once', async () => {
    await using site = await siteWithSitemap(['/b', '/a', '/b/'], ['/c', '/a', '/b#part', '/c/index.html', '/c?x=1']);
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/b', '/a', '/c']);
    assert.deepEqual(asked(site).sort(), ['/', '/map.xml', '/robots.txt']);
  });

  test('titles from link texts, and the title and description of the page itself', async () => {
    await using site = await siteOf({});
    const head = '<title>The shop</title><meta name="description" content="Lamps and shades">';
    const start = site.page('/', html('<a href="/lamps">All <b>lamps</b></a><a href="/bare"></a>', head));
    site.page('/sitemap.xml', sitemap([site.url('/shades'), site.url('/lamps')]));
    assert.deepEqual((await map(trawl, start)).links, [
      { url: start, title: 'The shop', description: 'Lamps and shades' },
      { url: site.url('/shades') },
      { url: site.url('/lamps'), title: 'All lamps' },
      { url: site.url('/bare') },
    ]);
  });

  test('a sitemap index named by robots.txt, including compressed sitemaps', async () => {
    await using site = await siteOf({ '/': [] });
    site.page('/robots.txt', robotsTxt('Sitemap: /maps/index.xml'));
    site.page('/maps/index.xml', sitemapIndex([site.url('/maps/1.xml'), site.url('/maps/2.xml.gz')]));
    site.page('/maps/1.xml', sitemap([site.url('/one')]));
    site.page('/maps/2.xml.gz', sitemap([site.url('/two')], { packed: true }));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/one', '/two']);
  });

  test('a sitemap at a common location when robots.txt names none', async () => {
    await using site = await siteOf({ '/': ['/linked'] });
    site.page('/sitemap_index.xml', sitemapIndex([site.url('/posts.xml')]));
    site.page('/posts.xml', sitemap([site.url('/post')]));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/post', '/linked']);
  });

  test('a sitemap at a common location when those named by robots.txt are invalid, with a warning', async () => {
    await using site = await siteOf({ '/': ['/linked'] });
    site.page('/robots.txt', robotsTxt('Sitemap: /old.xml'));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/linked']);
    site.page('/sitemap.xml', sitemap([site.url('/post')]));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/post', '/linked']);
    assert.match((await map(trawl, site.start)).warning ?? '', /\/old\.xml responded with 404/);
  });

  test('the page alone when there is no sitemap, without a warning', async () => {
    await using site = await siteOf({ '/': ['/a', '/b'] });
    const { links, warning } = await map(trawl, site.start);
    assert.deepEqual([links.length, warning], [3, undefined]);
  });

  test('"skip" fetches no sitemap, and "only" uses nothing else', async () => {
    await using site = await siteWithSitemap(['/b'], ['/c']);
    assert.deepEqual(await mapPaths(trawl, site.start, { sitemap: 'skip' }), ['/', '/c']);
    assert.deepEqual(asked(site), ['/']);
    assert.deepEqual(await mapPaths(trawl, site.start, { sitemap: 'only' }), ['/b']);
  });

  test('"only" on a site without a sitemap is empty, and says where it looked for one', async () => {
    await using site = await siteOf({ '/': ['/c'] });
    const { links, warning } = await map(trawl, site.start, { sitemap: 'only' });
    assert.deepEqual(links, []);
    assert.match(warning ?? '', /has no sitemap.*\/sitemap\.xml/);
  });

  test('the whole site, wherever the map starts', async () => {
    await using site = await siteWithSitemap(['/docs/a', '/blog/b']);
    addTasks(site, { '/docs/': ['/about'] });
    assert.deepEqual(await mapPaths(trawl, site.url('/docs/')), ['/docs/', '/docs/a', '/blog/b', '/about']);
  });

  test('the redirect target of the start', async () => {
    await using site = await siteWithSitemap(['/a']);
    await using old = await startSite();
    const start = old.page('/', { status: 301, headers: { location: site.start } });
    const { links } = await map(trawl, start);
    assert.deepEqual(
      links.map(({ url }) => url),
      [site.start, site.url('/a')],
    );
  });

  test('also pages that robots.txt disallows: they are listed but not fetched', async () => {
    await using site = await siteWithSitemap(['/private/a'], ['/private/b']);
    site.page('/robots.txt', robotsTxt(`Sitemap: ${site.url('/map.xml')}`, 'User-agent: *', 'Disallow: /private'));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/private/a', '/private/b']);
  });
});

describe('what belongs to a map', () => {
  const PATHS = ['/a?page=1', '/a?page=2', '/a?page=1&utm_source=x', '/b?'];

  test('addresses without their query, unless requested', async () => {
    await using site = await siteWithSitemap(PATHS);
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/a', '/b']);
    assert.deepEqual(await mapPaths(trawl, site.start, { ignoreQueryParameters: false }), [
      '/',
      '/a?page=1',
      '/a?page=2',
      '/b?',
    ]);
  });

  test('pages and documents of the site, and nothing hostile or from other sites', async () => {
    await using site = await siteOf({
      '/': ['javascript:alert(1)', 'mailto:a@example.com', '/report.pdf', '/logo.png'],
    });
    const others = [
      'https://example.com/page',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      site.url('/x').replace('//', '//user:secret@'),
      `${site.url('/')}${'long'.repeat(3_000)}`,
      'http://127.0.0.1:1/other-port',
    ];
    site.page('/sitemap.xml', sitemap([site.url('/one'), ...others]));
    assert.deepEqual(await mapPaths(trawl, site.start), ['/', '/one', '/report.pdf']);
  });

  test('other hosts under the same domain, unless they are refused', async () => {
    await using site = await siteOf({});
    const named = new URL(site.url('/').replace('127.0.0.1', 'localhost'));
    const blog = `http://blog.localhost:${named.port}/post`;
    site.page('/', linking('/', [blog, `http://blog.localhost:1/port`, 'http://example.com/']));
    assert.deepEqual(await mapPaths(trawl, named.href), ['/', blog]);
    assert.deepEqual(await mapPaths(trawl, named.href, { includeSubdomains: false }), ['/']);
  });

  test('as many addresses as the limit says, from the first on', async () => {
    await using site = await siteWithSitemap(['/a', '/b', '/c'], ['/d']);
    assert.deepEqual(await mapPaths(trawl, site.start, { limit: 3 }), ['/', '/a', '/b']);
    assert.deepEqual(await mapPaths(trawl, site.start, { limit: 1 }), ['/']);
  });
});

describe('a search', () => {
  const TEXTS = {
    '/a1': 'Delivery and returns',
    '/preise/lampen': 'Unsere Preise für Lampen',
    '/x/cafe': 'Cafés à Genève',
    '/n2': '東京の天気',
    '/d/pricing-plans': 'Plans',
    '/z': 'Цены и доставка',
  };
  const links = Object.entries(TEXTS).map(([path, text]) => `<a href="${path}">${text}</a>`);

  for (const [words, first] of [
    ['pricing', '/d/pricing-plans'],
    ['Preise', '/preise/lampen'],
    ['geneve cafe', '/x/cafe'],
    ['天気', '/n2'],
    ['доставка', '/z'],
    ['return delivery', '/a1'],
  ] as const) {
    test(`for "${words}" puts matches first and the rest last`, async () => {
      await using site = await siteOf({});
      site.page('/', html(links.join(''), '<title>Home</title>'));
      const paths = await mapPaths(trawl, site.url('/'), { search: words });
      assert.equal(paths[0], first);
      assert.equal(paths.length, 7);
      assert.deepEqual(await mapPaths(trawl, site.url('/'), { search: words, limit: 1 }), [first]);
    });
  }

  test('looks beyond the limit', async () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => `/page/${index}`);
    await using site = await siteWithSitemap([...paths, '/deep/wombat-burrow']);
    assert.deepEqual(await mapPaths(trawl, site.start, { search: 'wombat', limit: 1 }), ['/deep/wombat-burrow']);
  });

  test('for an empty string counts as no search', async () => {
    await using site = await siteWithSitemap(['/b', '/a']);
    for (const search of ['', ' … '])
      assert.deepEqual(await mapPaths(trawl, site.start, { search }), ['/', '/b', '/a']);
  });
});

describe('when something goes wrong', () => {
  test('the sitemaps alone make the answer when the page cannot be read', async () => {
    await using site = await siteWithSitemap(['/a']);
    site.page('/', hostile.hangUp);
    const { links, warning } = await map(trawl, site.start);
    assert.deepEqual(links, [{ url: site.url('/a') }]);
    assert.match(warning ?? '', /^The page itself could not be read: .*closed the connection/);
  });

  test('a page that never arrives leaves time for the sitemaps', async () => {
    await using site = await siteWithSitemap(['/a']);
    site.page('/', hostile.silence);
    const { links, warning } = await map(trawl, site.start, { timeout: 1_000 });
    assert.deepEqual(links, [{ url: site.url('/a') }]);
    assert.match(warning ?? '', /within 500 ms/);
  });

  test('an error page is not listed, nor are its links', async () => {
    await using site = await siteWithSitemap(['/a']);
    const start = site.page('/gone', { status: 404, body: linking('/gone', ['/menu']) });
    const { links, warning } = await map(trawl, start);
    assert.deepEqual(links, [{ url: site.url('/a') }]);
    assert.match(warning ?? '', /responded with 404 Not Found: its links were not read/);
  });

  test('the answer holds what was found in time', async () => {
    await using site = await siteOf({ '/': ['/linked'] });
    site.page('/robots.txt', robotsTxt('Sitemap: /1.xml', 'Sitemap: /2.xml'));
    site.page('/1.xml', sitemap([site.url('/a')]));
    site.page('/2.xml', hostile.stallInBody);
    const { links, warning } = await map(trawl, site.start, { timeout: 1_000 });
    assert.deepEqual(
      links.map(({ url }) => url),
      [site.start, site.url('/a'), site.url('/linked')],
    );
    assert.match(warning ?? '', /The time limit was reached .* raise "timeout"/);
  });

  test('invalid sitemaps are reported, the first few by name', async () => {
    await using site = await siteOf({ '/': [] });
    site.page('/robots.txt', robotsTxt(...[1, 2, 3, 4, 5].map((n) => `Sitemap: /${n}.xml`), 'Sitemap: /good.xml'));
    site.page('/1.xml', html('<h1>Welcome</h1>'));
    site.page('/good.xml', sitemap([site.url('/a')]));
    const { links, warning } = await map(trawl, site.start);
    assert.equal(links.length, 2);
    assert.match(
      warning ?? '',
      /\/1\.xml is not a sitemap\. .*\/2\.xml responded with 404\..*\/3\.xml.* 2 more sitemaps/,
    );
  });

  for (const [name, url, status, code] of [
    ['a site that is not there', 'http://127.0.0.1:1/', 502, 'SCRAPE_CONNECTION_ERROR'],
    ['a name that is none', 'http://nothing.invalid/', 500, 'SCRAPE_DNS_RESOLUTION_ERROR'],
    ['a private network', 'http://10.0.0.1/', 403, 'SCRAPE_BLOCKED_TARGET'],
    ['no address', 'nothing here', 400, 'BAD_REQUEST'],
  ] as const) {
    test(`${name} is a ${status} ${code}`, async () => {
      const { status: answered, body } = await trawl.post('/v2/map', { url });
      assert.deepEqual([answered, body.code], [status, code], body.error);
    });
  }

  test('a site that gives neither its page nor its robots.txt is not asked for sitemaps', async () => {
    await using site = await startSite();
    for (const path of ['/', '/robots.txt']) site.page(path, hostile.hangUp);
    const { status } = await trawl.post('/v2/map', { url: site.url('/') });
    assert.equal(status, 502);
    assert.deepEqual([...new Set(asked(site))].sort(), ['/', '/robots.txt']);
  });

  test('a site that answers nothing in time is a 408', async () => {
    await using site = await startSite();
    site.page('/', hostile.silence);
    site.page('/robots.txt', hostile.silence);
    const { status, body } = await trawl.post('/v2/map', { url: site.url('/'), timeout: 1_000 });
    assert.deepEqual([status, body.code], [408, 'SCRAPE_TIMEOUT']);
  });

  test('a redirect into a private network is a 403, whatever the sitemaps contain', async () => {
    await using site = await siteWithSitemap(['/a']);
    site.page('/', { status: 302, headers: { location: 'http://10.0.0.1/' } });
    const { status, body } = await trawl.post('/v2/map', { url: site.start });
    assert.deepEqual([status, body.code], [403, 'SCRAPE_BLOCKED_TARGET']);
  });

  test('sitemaps are not fetched from refused hosts', async () => {
    await using site = await siteOf({ '/': [] });
    await using other = await startSite();
    const elsewhere = other.page('/map.xml', sitemap([site.url('/a')])).replace('127.0.0.1', 'localhost');
    site.page('/robots.txt', robotsTxt(`Sitemap: ${elsewhere}`));
    const { links, warning } = await map(trawl, site.start, { threatProtection: { blacklist: ['localhost'] } });
    assert.deepEqual([links.length, other.requests.length], [1, 0]);
    assert.match(warning ?? '', /localhost/);
    assert.equal((await map(trawl, site.start)).links.length, 2);
  });

  for (const [name, body, says] of [
    ['a limit of none', { limit: 0 }, /limit/],
    ['a limit over all', { limit: 100_001 }, /limit/],
    ['a use of sitemaps that is none', { sitemap: 'maybe' }, /sitemap/],
    ['a time that is none', { timeout: 10 }, /timeout/],
    ['a search that is a list', { search: ['a'] }, /search/],
    ['an unknown field', { searhc: 'a' }, /searhc/],
    ['a country that is a name', { location: { country: 'Germany' } }, /country/],
  ] as const) {
    test(`${name} is a 400 that names it`, async () => {
      const { status, body: answer } = await trawl.post('/v2/map', { url: 'http://127.0.0.1/', ...body });
      assert.equal(status, 400);
      assert.match(answer.error, says);
    });
  }
});
