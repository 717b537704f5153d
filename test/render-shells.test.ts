import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl, type Trawl } from './support/trawl.ts';

const trawl = await shared(startTrawl());

/** A site of its own, because what is learned of one is remembered. */
async function application() {
  const site = await shared(startSite());
  site.page('/api', { headers: { 'content-type': 'application/json' }, body: '["Lamp","Chair","Table"]' });
  site.page('/app.js', {
    headers: { 'content-type': 'text/javascript' },
    body: `fetch('/api').then((answer) => answer.json()).then((items) => {
      const page = location.pathname.split('/').at(-1);
      document.getElementById('root').innerHTML = '<main><h1>Shop ' + page + '</h1>' +
        items.map((item) => '<p>The ' + item + ' of this shop is made to last.</p><a href="/shop/' + item + '">' + item + '</a>').join('') + '</main>';
    })`,
  });
  const shell = html(
    '<noscript>Enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script>',
  );
  for (const path of ['/shop/start', '/shop/Lamp', '/shop/Chair', '/shop/Table']) site.page(path, shell);
  return site;
}

const fresh = { maxAge: 0, onlyMainContent: false };
const isNavigation = ({ headers }: { headers: Record<string, string | string[] | undefined> }) =>
  'sec-fetch-mode' in headers;

describe('an empty shell', () => {
  test('is rendered, and its site is remembered', async () => {
    const site = await application();
    const first = await trawl.scrape(site.url('/shop/start'), fresh);
    assert.match(first.markdown ?? '', /Shop start[\s\S]*The Chair of this shop/);
    assert.equal(first.warning, undefined);
    const second = await trawl.scrape(site.url('/shop/Lamp'), fresh);
    assert.match(second.markdown ?? '', /Shop Lamp/);
    const asked = (path: string) => site.requests.filter((request) => request.path === path);
    assert.equal(asked('/shop/start').length, 2);
    assert.deepEqual(asked('/shop/Lamp').map(isNavigation), [true]);
  });

  test('is in the cache as it was rendered', async () => {
    const site = await application();
    const first = await trawl.scrape(site.url('/shop/start'));
    const requests = site.requests.length;
    const second = await trawl.scrape(site.url('/shop/start'));
    const html = await trawl.scrape(site.url('/shop/start'), { formats: ['html'] });
    assert.equal(second.metadata.cacheState, 'hit');
    assert.equal(second.markdown, first.markdown);
    assert.match(html.html ?? '', /The Table of this shop/);
    assert.equal(site.requests.length, requests);
  });

  test('is forgotten when the browser finds no more in it', async () => {
    const site = await shared(startSite());
    site.page('/app.js', { headers: { 'content-type': 'text/javascript' }, body: '' });
    const url = site.page('/empty', html('<div id="root"></div><script src="/app.js"></script>'));
    await trawl.scrape(url, fresh);
    await trawl.scrape(url, fresh);
    assert.equal(
      site.requests.filter(({ path, headers }) => path === '/empty' && !('sec-fetch-mode' in headers)).length,
      2,
    );
  });

  test('is returned as it came, with a warning, where there is no browser', async () => {
    await using without = await startTrawl({ TRAWL_BROWSER_PATH: '/nowhere/chromium' });
    const site = await application();
    const { warning, rawHtml } = await without.scrape(site.url('/shop/start'), { formats: ['rawHtml'] });
    assert.match(warning ?? '', /^Scripts make this page, and it was not rendered: /);
    assert.match(rawHtml ?? '', /<div id="root"><\/div>/);
    // Nothing of it is cached: the next scrape may have a browser.
    const again = await without.scrape(site.url('/shop/start'), { formats: ['rawHtml'] });
    assert.match(again.warning ?? '', /was not rendered/);
    assert.match(await batchWarning(without, site.url('/shop/Lamp')), /was not rendered/);
  });

  test('is not rendered when the page may only come from the cache', async () => {
    const site = await application();
    await trawl.refusal({ url: site.url('/shop/start'), lockdown: true });
    assert.equal(site.requests.length, 0);
  });

  test('is mapped by the links that it has in a browser', async () => {
    const site = await application();
    const { body } = await trawl.call<{ links: { url: string }[] }>('POST', '/v2/map', {
      url: site.url('/shop/start'),
    });
    const urls = body.links.map(({ url }) => url);
    for (const path of ['/shop/Lamp', '/shop/Chair', '/shop/Table'])
      assert.ok(urls.includes(site.url(path)), `${urls}`);
  });
});

describe('a page that came with its content', () => {
  test('is not rendered', async () => {
    const site = await shared(startSite());
    site.page('/x.js', { headers: { 'content-type': 'text/javascript' }, body: '' });
    const url = site.page(
      '/page',
      html(`<main><h1>Title</h1><p>${'A sentence of the page. '.repeat(20)}</p></main><script src="/x.js"></script>`),
    );
    await trawl.scrape(url, fresh);
    assert.deepEqual(
      site.requests.map(({ path }) => path),
      ['/page'],
    );
  });
});

describe('a crawl of an application', () => {
  test('takes the pages of a site without scripts once, whatever fragments lead to them', async () => {
    const site = await shared(startSite());
    site.page(
      '/',
      html('<h1>Static</h1><p>A page that has it all.</p><a href="#/one">One</a> <a href="/#!/two">Two</a>'),
    );
    assert.equal((await crawl(trawl, site.url('/'))).length, 1);
  });

  for (const [kind, link] of [
    ['its routes in the path', '/routes/'],
    ['its routes behind a hash', '/routes/#!/'],
  ]) {
    test(`follows ${kind}`, async () => {
      const site = await shared(startSite());
      const shell = html(`<div id="app"></div><script>
        const route = '${link}'.includes('#') ? location.hash.slice(3) : location.pathname.split('/').at(-1);
        document.getElementById('app').innerHTML = '<h1>Route ' + (route || 'start') + '</h1><p>This is what the route shows.</p>' +
          ['one', 'two', 'three'].map((name) => '<a href="${link}' + name + '">' + name + '</a>').join(' ');
      </script>`);
      for (const path of ['/routes/', '/routes/one', '/routes/two', '/routes/three']) site.page(path, shell);
      const documents = await crawl(trawl, site.url('/routes/'));
      const titles = documents.map(({ markdown }) => /Route (\w+)/.exec(markdown ?? '')?.[1]).sort();
      assert.deepEqual(titles, ['one', 'start', 'three', 'two']);
    });
  }
});

interface Job {
  id: string;
  status: string;
  data: { markdown?: string; warning?: string }[];
}

async function crawl(service: Trawl, url: string): Promise<Job['data']> {
  const { body } = await service.call<Job>('POST', '/v2/crawl', { url, sitemap: 'skip', limit: 20 });
  return ended(service, `/v2/crawl/${body.id}`);
}

async function batchWarning(service: Trawl, url: string): Promise<string> {
  const { body } = await service.call<Job>('POST', '/v2/batch/scrape', { urls: [url] });
  const [document] = await ended(service, `/v2/batch/scrape/${body.id}`);
  return document?.warning ?? '';
}

async function ended(service: Trawl, path: string): Promise<Job['data']> {
  for (;;) {
    const { body } = await service.get<Job>(path);
    if (body.status !== 'scraping') return body.data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
