import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AROUND, articlePage, IN_ARTICLE } from './support/article.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/island/index.html', articlePage('<p><img src="../ferry.jpg" alt="The ferry"></p>'));

const FORMATS = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes', 'product', 'menu'];

/** The formats of a document, by name. */
function formatsOf(document: object): string[] {
  return FORMATS.filter((name) => name in document).sort();
}

describe('a scrape in version 2', () => {
  test('returns Markdown of the main content by default', async () => {
    const document = await trawl.scrape(url);
    assert.deepEqual(formatsOf(document), ['markdown']);
    const markdown = document.markdown ?? '';
    assert.match(markdown, /^# Life on the island$/m);
    assert.ok(markdown.includes(IN_ARTICLE));
    for (const words of AROUND) assert.ok(!markdown.includes(words), words);
    assert.ok(markdown.includes(`[map of the harbour](${site.url('/map.html#harbour')})`), markdown);
    assert.ok(markdown.includes(`![The ferry](${site.url('/ferry.jpg')})`), markdown);
  });

  test('returns cleaned HTML of the same part', async () => {
    const document = await trawl.scrape(url, { formats: ['html'] });
    assert.deepEqual(formatsOf(document), ['html']);
    const cleaned = document.html ?? '';
    assert.ok(cleaned.includes(IN_ARTICLE));
    assert.match(cleaned, /<h1[^>]*>Life on the island<\/h1>/);
    for (const words of AROUND) assert.ok(!cleaned.includes(words), words);
  });

  test('returns the source as the site sent it', async () => {
    const document = await trawl.scrape(url, { formats: ['rawHtml'] });
    assert.deepEqual(formatsOf(document), ['rawHtml']);
    assert.equal(document.rawHtml, articlePage('<p><img src="../ferry.jpg" alt="The ferry"></p>'));
  });

  test('returns absolute links, each once', async () => {
    const { links = [] } = await trawl.scrape(url, { formats: ['links'], onlyMainContent: false });
    for (const path of ['/fares', '/news', '/map.html#harbour', '/a', '/b'])
      assert.ok(links.includes(site.url(path)), path);
    assert.equal(new Set(links).size, links.length);
  });

  test('returns absolute image addresses', async () => {
    const { images } = await trawl.scrape(url, { formats: ['images'] });
    assert.deepEqual(images, [site.url('/ferry.jpg')]);
  });

  test('returns the attributes of elements that match selectors', async () => {
    const selectors = [
      { selector: 'main a', attribute: 'href' },
      { selector: 'img', attribute: 'alt' },
      { selector: 'video', attribute: 'src' },
    ];
    const { attributes } = await trawl.scrape(url, { formats: [{ type: 'attributes', selectors }] });
    assert.equal(attributes?.length, 3);
    assert.deepEqual(attributes?.[1], { selector: 'img', attribute: 'alt', values: ['The ferry'] });
    assert.deepEqual(attributes?.[2], { selector: 'video', attribute: 'src', values: [] });
    assert.equal(attributes?.[0]?.values.length, 1);
    assert.match(attributes?.[0]?.values[0] ?? '', /map\.html#harbour$/);
  });

  test('returns a product from the structured data of its page', async () => {
    const data = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Rubber boots',
      brand: { '@type': 'Brand', name: 'Wellington' },
      offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    };
    const body = `<h1>Rubber boots</h1><script type="application/ld+json">${JSON.stringify(data)}</script>`;
    const { product } = await trawl.scrape(site.page('/boots', html(body)), { formats: ['product'] });
    assert.equal(product?.title, 'Rubber boots');
    assert.equal(product?.brand, 'Wellington');
    assert.equal(product?.variants[0]?.price?.amount, 49.9);
    assert.equal(product?.variants[0]?.price?.currency, 'EUR');
    assert.equal(product?.variants[0]?.availability.inStock, true);
  });

  test('returns the menu of the restaurant that the page describes', async () => {
    const offers = { '@type': 'Offer', price: '9.50', priceCurrency: 'EUR' };
    const hasMenuItem = { '@type': 'MenuItem', name: 'Margherita', offers };
    const hasMenu = { '@type': 'Menu', hasMenuSection: { '@type': 'MenuSection', name: 'Pizza', hasMenuItem } };
    const data = { '@context': 'https://schema.org', '@type': 'Restaurant', name: 'Luigi’s', hasMenu };
    const body = `<h1>Luigi’s</h1><script type="application/ld+json">${JSON.stringify(data)}</script>`;
    const { menu } = await trawl.scrape(site.page('/luigis', html(body)), { formats: ['menu'] });
    assert.equal(menu?.merchant?.name, 'Luigi’s');
    assert.equal(menu?.sections[0]?.items[0]?.price?.amount, 9.5);
  });

  test('returns no menu for a page without one, and says why', async () => {
    const { menu, warning } = await trawl.scrape(url, { formats: ['menu'] });
    assert.equal(menu, undefined);
    assert.match(warning ?? '', /menu/);
  });

  test('returns a product from the visible content of its page', async () => {
    const body =
      '<main><h1>Rubber boots</h1><p><s>59,90 €</s> 49,90 €</p><p>Art.-Nr.: RB-40</p><button>In den Warenkorb</button></main>';
    const { product } = await trawl.scrape(site.page('/gummistiefel', html(body)), { formats: ['product'] });
    assert.deepEqual(product?.variants, [
      {
        sku: 'RB-40',
        price: { amount: 49.9, currency: 'EUR', formatted: '49,90 €' },
        sale: { originalPrice: { amount: 59.9, currency: 'EUR', formatted: '59,90 €' } },
        availability: { inStock: true, text: 'InStock' },
      },
    ]);
  });

  test('returns no product for a page without one', async () => {
    const document = await trawl.scrape(url, { formats: ['product', 'markdown'] });
    assert.equal(document.product, undefined);
    assert.ok(document.markdown);
  });

  test('returns every requested format, given as strings and objects mixed', async () => {
    const selectors = [{ selector: 'a', attribute: 'href' }];
    const formats = [
      'markdown',
      { type: 'html' },
      'rawHtml',
      { type: 'links' },
      'images',
      { type: 'attributes', selectors },
    ];
    const document = await trawl.scrape(url, { formats });
    assert.deepEqual(formatsOf(document), ['attributes', 'html', 'images', 'links', 'markdown', 'rawHtml']);
  });

  test('returns a format once when it is requested twice', async () => {
    assert.deepEqual(formatsOf(await trawl.scrape(url, { formats: ['links', { type: 'links' }] })), ['links']);
  });
});

describe('a scrape in version 1', () => {
  test('returns Markdown by default', async () => {
    const document = await trawl.scrape(url, {}, { version: 'v1' });
    assert.deepEqual(formatsOf(document), ['markdown']);
    assert.ok(document.markdown?.includes(IN_ARTICLE));
  });

  test('returns each format it knows', async () => {
    const formats = ['markdown', 'html', 'rawHtml', 'links'];
    const document = await trawl.scrape(url, { formats }, { version: 'v1' });
    assert.deepEqual(formatsOf(document), formats.sort());
  });
});

describe('the metadata', () => {
  test('contains the meta tags of the page, raw and in camelCase', async () => {
    const head = `
      <title>Boots &amp; coats</title>
      <meta name="description" content="What to wear at sea">
      <meta name="keywords" content="boots, coats">
      <meta name="robots" content="index,follow">
      <meta property="og:title" content="For the sea">
      <meta property="og:site_name" content="The island">
      <meta property="article:tag" content="sea"><meta property="article:tag" content="rain">
      <meta name="twitter:card" content="summary">
      <meta name="dc.creator" content="A. Islander">
      <link rel="icon" href="/icon.png">`;
    const { metadata } = await trawl.scrape(site.page('/meta', html('<p>Words</p>', head)));
    assert.equal(metadata.title, 'Boots & coats');
    assert.equal(metadata.description, 'What to wear at sea');
    assert.equal(metadata.language, 'en');
    assert.equal(metadata.keywords, 'boots, coats');
    assert.equal(metadata.robots, 'index,follow');
    assert.equal(metadata.favicon, site.url('/icon.png'));
    assert.equal(metadata['og:title'], 'For the sea');
    assert.equal(metadata.ogTitle, 'For the sea');
    assert.equal(metadata.ogSiteName, 'The island');
    assert.deepEqual(metadata['article:tag'], ['sea', 'rain']);
    assert.deepEqual(metadata.articleTag, ['sea', 'rain']);
    assert.equal(metadata.twitterCard, 'summary');
    assert.equal(metadata['dc.creator'], 'A. Islander');
  });

  test('says how the page was obtained', async () => {
    const asked = site.page('/old', { status: 301, headers: { location: '/new' } });
    const got = site.page('/new', html('<h1>New</h1>'));
    const { metadata } = await trawl.scrape(asked);
    assert.equal(metadata.sourceURL, asked);
    assert.equal(metadata.url, got);
    assert.equal(metadata.statusCode, 200);
    assert.equal(metadata.contentType, 'text/html');
    assert.equal(metadata.proxyUsed, 'basic');
    assert.equal(metadata.cacheState, 'miss');
    assert.equal(metadata.creditsUsed, 1);
    assert.match(metadata.scrapeId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  });

  test('cannot be forged by the page', async () => {
    const names = ['statusCode', 'cacheState', 'cachedAt', 'creditsUsed', 'scrapeId', 'error', 'numPages', '__proto__'];
    const head = names.map((name) => `<meta name="${name}" content="counterfeit">`).join('');
    const { metadata } = await trawl.scrape(site.page('/forged', html('<p>Words</p>', head)));
    assert.ok(!JSON.stringify(metadata).includes('counterfeit'));
  });

  test('contains the scraped address when the given one has no scheme', async () => {
    const { host } = new URL(site.page('/plain', html('<h1>Plain</h1>')));
    const { metadata } = await trawl.scrape(`${host}/plain`);
    assert.equal(metadata.sourceURL, `http://${host}/plain`);
    const local = host.replace('127.0.0.1', 'localhost');
    assert.equal((await trawl.scrape(`${local}/plain`)).metadata.sourceURL, `http://${local}/plain`);
  });
});

describe('a page that answers with an error is still a successful scrape', () => {
  for (const [status, says] of [
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [410, 'Gone'],
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable'],
  ] as const) {
    test(String(status), async () => {
      const page = site.page(`/status/${status}`, {
        status,
        body: html(`<h1>Status ${status}</h1><p>Sorry about that.</p>`),
      });
      for (const version of ['v1', 'v2']) {
        const { markdown, metadata } = await trawl.scrape(page, {}, { version });
        assert.equal(metadata.statusCode, status);
        assert.equal(metadata.error, says);
        assert.match(markdown ?? '', new RegExp(`Status ${status}`));
      }
    });
  }

  test('without a body it gives empty Markdown, not a failure', async () => {
    const { markdown, metadata } = await trawl.scrape(site.page('/nothing', { status: 404 }));
    assert.equal(metadata.statusCode, 404);
    assert.equal(markdown, '');
  });
});
