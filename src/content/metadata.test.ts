import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMetadata } from './metadata.ts';
import type { PageMetadata } from './page-content.ts';
import { parseHtml } from './parse-html.ts';

const URL_OF_PAGE = 'https://shop.example/de/page?x=1';

function metadataOf(html: string, contentLanguage?: string): PageMetadata {
  const page = { html, url: URL_OF_PAGE, ...(contentLanguage === undefined ? {} : { contentLanguage }) };
  return readMetadata(parseHtml(html, page.url), page);
}

describe('title', () => {
  it('is the <title> with white space collapsed', () => {
    assert.equal(metadataOf('<title>\n A &amp;\n B </title><h1>C</h1>').title, 'A & B');
  });

  it('is og:title when there is no <title>, then the first heading', () => {
    assert.equal(metadataOf('<title></title><meta property="og:title" content="O"><h1>H</h1>').title, 'O');
    assert.equal(metadataOf('<body><h1>First <b>one</b></h1><h1>Second</h1>').title, 'First one');
    assert.equal(metadataOf('<p>text').title, undefined);
  });

  it('is not the <title> of an SVG', () => {
    assert.equal(metadataOf('<body><svg><title>Cart</title></svg><title>Page</title>').title, 'Page');
  });

  it('is a single string even when the page repeats it', () => {
    const metadata = metadataOf(
      '<title>T</title><title>U</title><meta name="title" content="V"><meta name=title content=W>',
    );
    assert.equal(metadata.title, 'T');
  });
});

describe('description', () => {
  it('is the description tag, whatever its case, before the Open Graph one', () => {
    const html = '<meta property="og:description" content="O"><meta name="Description" content="D">';
    assert.equal(metadataOf(html).description, 'D');
    assert.equal(metadataOf('<meta property="og:description" content="O">').description, 'O');
  });
});

describe('language', () => {
  const cases: [title: string, html: string, header: string | undefined, expected: string | undefined][] = [
    ['is the lang of <html>', '<html lang="de-AT"><meta http-equiv="content-language" content="fr">', 'en', 'de-AT'],
    ['is the lang of <body> when <html> has none', '<html><body lang="nl">', undefined, 'nl'],
    ['is the http-equiv tag before the header', '<meta http-equiv="Content-Language" content="fr">', 'en', 'fr'],
    ['is the header when the page says nothing', '<p>', 'pt-BR', 'pt-BR'],
    [
      'is og:locale, with a hyphen, as the last resort',
      '<meta property="og:locale" content="en_GB">',
      undefined,
      'en-GB',
    ],
    ['is not taken from a list of languages', '<p>', 'en, fr', undefined],
    ['is not taken from what is no language tag', '<html lang="{{locale}}">', 'x', undefined],
    ['is the header when the lang of <html> is empty', '<html lang="">', 'sv', 'sv'],
  ];
  for (const [title, html, header, expected] of cases) {
    it(title, () => assert.equal(metadataOf(html, header).language, expected));
  }
});

describe('language of a page that declares none', () => {
  const text =
    '<p>Die Bibliothek ist auch am Sonntag geöffnet, aber die Bücher müssen bis zum Ende der Woche wieder zurück sein.</p>';
  const cases: [title: string, html: string, expected: string | undefined][] = [
    ['is that of its visible text', `<h1>Library</h1><div>${text}</div>`, 'de'],
    ['is not asked for when it is declared', `<html lang=en>${text}`, 'en'],
    [
      'is not that of scripts, source text, navigation and what is hidden',
      `<script>/* ${text} */</script><pre>${text}</pre><nav>${text}</nav><div hidden>${text}</div>`,
      undefined,
    ],
    ['is not guessed from labels', '<a>Über uns</a><a>Der Verein</a><a>Die Bücher und das Haus</a>', undefined],
  ];
  for (const [title, html, expected] of cases) it(title, () => assert.equal(metadataOf(html).language, expected));
});

it('is never the name of a language written out in a tag', () => {
  assert.equal(
    'language' in metadataOf('<meta name="language" content="English"><meta name="language" content="French">'),
    false,
  );
});

describe('robots', () => {
  it('joins the directives of several tags', () => {
    assert.equal(
      metadataOf('<meta name=robots content=noindex><meta name=ROBOTS content=nofollow>').robots,
      'noindex, nofollow',
    );
  });
});

describe('canonical', () => {
  it('is resolved against <base href>', () => {
    const html = '<base href="https://other.example/x/"><link rel="canonical" href="y">';
    assert.equal(metadataOf(html).canonical, 'https://other.example/x/y');
  });

  it('is absent when it is not an http or https address', () => {
    assert.equal('canonical' in metadataOf('<link rel=canonical href="javascript:alert(1)">'), false);
  });
});

describe('feeds', () => {
  it('are the absolute addresses of RSS, Atom and JSON feeds, each once', () => {
    const html = `<link rel=alternate type="application/rss+xml" href="/feed"><link rel=alternate type="application/rss+xml" href="/feed">
      <link rel="ALTERNATE home" type="application/atom+xml; charset=utf-8" href="atom.xml"><link rel=alternate type="application/feed+json" href="//x.example/f.json">
      <link rel=alternate type="application/json+oembed" href="/oembed"><link rel=alternate hreflang=fr href="/fr"><link rel=icon type="application/rss+xml" href="/i">
      <link rel=alternate type="application/rss+xml" href="javascript:0"><meta name=feeds content="/no">`;
    assert.deepEqual(metadataOf(html).feeds, [
      'https://shop.example/feed',
      'https://shop.example/de/atom.xml',
      'https://x.example/f.json',
    ]);
  });

  it('are absent when there are none, and limited in number', () => {
    assert.ok(!('feeds' in metadataOf('<meta name=feeds content="/no">')));
    const many = Array.from(
      { length: 500 },
      (_, index) => `<link rel=alternate type="application/rss+xml" href="/${index}">`,
    );
    assert.equal(metadataOf(many.join('')).feeds?.length, 50);
  });
});

describe('meta tags', () => {
  it('appear under their own name; Open Graph, Twitter, article and Dublin Core also in camelCase', () => {
    const metadata = metadataOf(`
      <meta property="og:site_name" content="Site">
      <meta name="twitter:card" content="summary">
      <meta property="article:published_time" content="2025-01-02">
      <meta name="DC.Description" content="About">
      <meta name="dcterms.created" content="2024">
      <meta property="og:image:secure_url" content="https://i.example/1.png">
      <meta name="theme-color" content="#fff">
      <meta itemprop="ratingValue" content="5">
      <meta http-equiv="refresh" content="0; url=/x">`);
    assert.deepEqual(metadata, {
      'og:site_name': 'Site',
      ogSiteName: 'Site',
      'twitter:card': 'summary',
      twitterCard: 'summary',
      'article:published_time': '2025-01-02',
      articlePublishedTime: '2025-01-02',
      publishedTime: '2025-01-02',
      'DC.Description': 'About',
      dcDescription: 'About',
      'dcterms.created': '2024',
      dcTermsCreated: '2024',
      dctermsCreated: '2024',
      'og:image:secure_url': 'https://i.example/1.png',
      ogImageSecureUrl: 'https://i.example/1.png',
      'theme-color': '#fff',
      ratingValue: '5',
      refresh: '0; url=/x',
      description: 'About',
      favicon: 'https://shop.example/favicon.ico',
    });
  });

  it('become arrays of distinct values when they are repeated', () => {
    const metadata = metadataOf(`
      <meta property="og:image" content="1"><meta property="og:image" content="2"><meta property="og:image" content="1">
      <meta name="author" content="A"><meta name="author" content="A">
      <meta name="keywords" content="a, b"><meta name="keywords" content="c">`);
    assert.deepEqual(metadata.ogImage, ['1', '2']);
    assert.equal(metadata.author, 'A');
    assert.deepEqual(metadata.keywords, ['a, b', 'c']);
  });

  it('always give ogLocaleAlternate as an array', () => {
    assert.deepEqual(metadataOf('<meta property="og:locale:alternate" content="fr_FR">').ogLocaleAlternate, ['fr_FR']);
  });

  it('count once for each name of a tag', () => {
    const metadata = metadataOf('<meta name="twitter:title" property="og:title schema:name" content="T">');
    assert.equal(metadata.twitterTitle, 'T');
    assert.equal(metadata.ogTitle, 'T');
    assert.equal(metadata['schema:name'], 'T');
  });

  it('are left out when they are empty, have no name, or belong to a microdata item of the body', () => {
    const html = `<meta name="a" content=" "><meta name="b"><meta content="c"><meta charset="utf-8">
      <body><div itemscope><meta itemprop="price" content="5"></div>`;
    assert.deepEqual(Object.keys(metadataOf(html)), ['favicon']);
  });

  it('cannot override fields of the answer or reach the prototype of an object', () => {
    const names = [
      'sourceURL',
      'url',
      'statusCode',
      'error',
      'numPages',
      'creditsUsed',
      'scrapeId',
      '__proto__',
      'constructor',
      'toString',
    ];
    const metadata = metadataOf(names.map((name) => `<meta name="${name}" content="evil">`).join(''));
    assert.deepEqual(Object.keys(metadata), ['favicon']);
    assert.equal(Object.getPrototypeOf(metadata), Object.prototype);
  });

  it('are bounded in number and length', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `<meta name="n${index}" content="v">`).join('');
    assert.ok(Object.keys(metadataOf(many)).length <= 1_001);
    const long = metadataOf(`<meta name="description" content="${'x'.repeat(50_000)}">`);
    assert.equal(long.description?.length, 10_000);
    const emoji = metadataOf(`<meta name="description" content="x${'😀'.repeat(10_000)}">`);
    assert.ok(emoji.description?.isWellFormed());
    assert.deepEqual(Object.keys(metadataOf(`<meta name="${'n'.repeat(500)}" content="v">`)), ['favicon']);
  });
});

describe('favicon', () => {
  const cases: [title: string, html: string, expected: string][] = [
    ['is /favicon.ico of the site when the page names none', '<p>', 'https://shop.example/favicon.ico'],
    ['is the icon link, resolved', '<link rel="shortcut icon" href="/i.png">', 'https://shop.example/i.png'],
    [
      'is the largest icon',
      '<link rel=icon sizes="16x16" href="/s.png"><link rel=icon sizes="32x32 96x96" href="/l.png"><link rel=icon href="/n.png">',
      'https://shop.example/l.png',
    ],
    [
      'is an icon before a touch icon of any size',
      '<link rel=apple-touch-icon sizes=180x180 href="/t.png"><link rel=icon href="/i.png">',
      'https://shop.example/i.png',
    ],
    [
      'is a drawing before any bitmap',
      '<link rel=icon sizes=512x512 href="/l.png"><link rel=icon type="image/svg+xml" href="/v.svg">',
      'https://shop.example/v.svg',
    ],
    [
      'is one for every colour scheme before one for the dark',
      '<link rel=icon sizes=any media="(prefers-color-scheme: dark)" href="/d.svg"><link rel=icon href="/a.png">',
      'https://shop.example/a.png',
    ],
    ['is never a data address', '<link rel=icon href="data:,">', 'https://shop.example/favicon.ico'],
  ];
  for (const [title, html, expected] of cases) it(title, () => assert.equal(metadataOf(html).favicon, expected));
});
