import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrawlError } from '../errors.ts';
import type { PageContent, ReadOptions } from './page-content.ts';
import { readPage } from './read-page.ts';

const SENTENCE =
  'The harbour of the old town was built for sailing ships, so its quays are low and its cranes made of wood.';

const PAGE = `<!doctype html><html lang="en"><head><title>Quays</title><meta name="description" content="Low ones"></head><body>
  <nav><a href="/menu">Menu</a><img src="/logo.png" alt="Logo"></nav>
  <main><h1>Quays of the old town</h1>
    <p>${SENTENCE} <a href="cranes">Cranes</a></p><img src="/quay.jpg" alt="A quay"><p class="note">Note: ${SENTENCE}</p>
    <p hidden>Secret</p>
  </main>
  <div class="ad-slot">Buy rope</div><div id="cookie-banner">We use cookies</div>
  <script>track()</script>
  <footer><a href="/imprint">Imprint</a></footer></body></html>`;

function read(options: Partial<ReadOptions> = {}, html = PAGE): PageContent {
  return readPage(
    { html, url: 'https://example.test/harbour/quays' },
    {
      formats: ['markdown'],
      onlyMainContent: true,
      onlyCleanContent: false,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
      attributes: [],
      ...options,
    },
  );
}

describe('readPage', () => {
  it('returns the main content as Markdown', () => {
    assert.equal(
      read().markdown,
      `# Quays of the old town\n\n${SENTENCE} [Cranes](https://example.test/harbour/cranes)\n\n![A quay](https://example.test/quay.jpg)\n\nNote: ${SENTENCE}`,
    );
  });

  it('keeps admonitions and tabs of the text, whatever part of the page is requested', () => {
    const html = `<nav><a href="/menu">Menu</a></nav><main><h1>Quays</h1><p>${SENTENCE}</p>
      <aside class="starlight-aside starlight-aside--note"><p class="starlight-aside__title" aria-hidden="true">Mind the tide</p><div class="starlight-aside__content"><p>${SENTENCE}</p></div></aside>
      <div role="tablist"><button role="tab">By sea</button><button role="tab">By land</button></div><div role="tabpanel"><p>${SENTENCE}</p></div><div role="tabpanel" hidden><p>${SENTENCE}</p></div>
      <p>${SENTENCE}</p></main>`;
    const expected = `# Quays\n\nS\n\n> [!NOTE]\n> **Mind the tide**\n>\n> S\n\n**By sea**\n\nS\n\n**By land**\n\nS\n\nS`;
    const shortened = (markdown = '') => markdown.replaceAll(SENTENCE, 'S');
    assert.equal(shortened(read({}, html).markdown), expected);
    const whole = shortened(read({ onlyMainContent: false }, html).markdown);
    assert.equal(whole, `[Menu](https://example.test/menu)\n\n${expected}`);
  });

  it('keeps the text of a footnote wherever its reference is kept, except for legal notes of the whole page', () => {
    const note = '<aside class="sidebar"><ol><li id="fn1">Of hemp.</li><li id="fn2">Of sisal.</li></ol></aside>';
    const page = (end: string) =>
      `<main><h1>Ropes</h1><p>${SENTENCE}<sup><a href="#fn1">1</a></sup></p><p>Low: ${SENTENCE}</p></main>${end}`;
    assert.equal(read({}, page(note)).markdown, `# Ropes\n\n${SENTENCE}[^1]\n\nLow: ${SENTENCE}\n\n[^1]: Of hemp.`);
    const { markdown = '' } = read({}, page(`<footer>${note}</footer>`));
    assert.ok(!markdown.includes('hemp'), markdown);
  });

  it('returns the content of declarative shadow roots', () => {
    const html = `<main><my-article><template shadowrootmode="open"><h1><slot name="title"></slot></h1><p>${SENTENCE}</p><slot></slot></template><span slot="title">Quays</span><p>Low: ${SENTENCE}</p></my-article></main>`;
    const expected = `# Quays\n\n${SENTENCE}\n\nLow: ${SENTENCE}`;
    assert.equal(read({}, html).markdown, expected);
    assert.equal(read({ onlyMainContent: false }, html).markdown, expected);
  });

  it('returns the whole page without adverts, scripts and hidden content', () => {
    const { markdown = '' } = read({ onlyMainContent: false });
    for (const kept of ['Menu', 'Quays of the old town', 'Imprint']) assert.ok(markdown.includes(kept), kept);
    for (const gone of ['Buy rope', 'cookies', 'Secret', 'track']) assert.ok(!markdown.includes(gone), gone);
  });

  it('returns adverts too when they are not blocked', () => {
    const { markdown = '' } = read({ onlyMainContent: false, blockAds: false });
    for (const kept of ['Buy rope', 'We use cookies']) assert.ok(markdown.includes(kept), kept);
  });

  describe('the title', () => {
    const text = `<p>${SENTENCE}</p><p>Low: ${SENTENCE}</p>`;
    const page = (body: string, title = 'Quays of the old town – Harbour News') =>
      `<html><head><title>${title}</title></head><body>${body}<footer>Imprint</footer></body></html>`;
    const titles = (markdown = '') => markdown.split('\n').filter((line) => line.startsWith('#'));

    it('appears once above the main content', () => {
      const heading = '<h1>Quays of the old town</h1>';
      for (const body of [
        `<main>${heading}${text}</main>`,
        `<header>${heading}</header><main>${text}</main>`,
        `<div class="for-phones">${heading}</div><main><div class="hero">${heading}</div>${text}</main>`,
        `<header>${heading}</header><main><p>${SENTENCE}</p>${heading}${text}</main>`,
        `<header><h1><a href="/">Harbour News</a></h1></header><main><h1><a href="/harbour/quays">Quays of the <em>old</em> town</a></h1>${text}</main>`,
      ]) {
        const found = titles(read({}, page(body)).markdown);
        assert.equal(found.length, 1, body);
        assert.match(found[0] ?? '', /Quays of the/);
      }
    });

    it('is not the name of a book in a menu bar when the metadata give the chapter first', () => {
      const menu = '<div class="menu-bar"><button>Contents</button><h1 class="menu-title">Harbour News</h1></div>';
      const body = `${menu}<main><h2>Quays of the old town</h2>${text}</main>`;
      assert.deepEqual(titles(read({}, page(body)).markdown), ['## Quays of the old town']);
      assert.deepEqual(titles(read({}, page(`${menu}<main>${text}</main>`)).markdown), ['# Harbour News']);
    });

    it('falls back to a second-level heading or an element named title', () => {
      const other = `<div class="box"><h2>${SENTENCE}</h2></div>`;
      for (const [title, expected] of [
        ['<div class="hero"><h2>Quays of the old town</h2></div>', '## Quays of the old town'],
        ['<div class="headertitle"><div class="title">Quays of the old town</div></div>', '# Quays of the old town'],
        ['<div class="headertitle"><div class="title"><a href="/">Quays of the old town</a></div></div>', undefined],
      ]) {
        const body = `<header>${title}</header><main>${text}${text.replaceAll('The', 'A')}</main>${other}`;
        assert.equal(titles(read({}, page(body)).markdown)[0], expected);
      }
    });

    it('leaves other first-level headings where they are', () => {
      const body = `<main><h1>Quays of the old town</h1>${text}<h1>Cranes of wood</h1>${text}</main>`;
      assert.deepEqual(titles(read({}, page(body)).markdown), ['# Quays of the old town', '# Cranes of wood']);
    });

    it('is only in the metadata when clean content is requested', () => {
      const body = `<main><h1>Quays of the old town</h1>${text}<h2>Cranes of wood</h2>${text}</main>`;
      const { markdown, metadata } = read({ onlyCleanContent: true }, page(body));
      assert.deepEqual(titles(markdown), ['## Cranes of wood']);
      assert.equal(metadata.title, 'Quays of the old town – Harbour News');
    });

    it('stays in clean content when the metadata have a different one', () => {
      const body = `<main><h1>Quays of the old town</h1>${text}</main>`;
      assert.deepEqual(titles(read({ onlyCleanContent: true }, page(body, 'Start')).markdown), [
        '# Quays of the old town',
      ]);
    });
  });

  it('takes links, images and HTML from the same part of the page as the Markdown', () => {
    const main = read({ formats: ['links', 'images', 'html'] });
    assert.deepEqual(main.links, ['https://example.test/harbour/cranes']);
    assert.deepEqual(main.images, ['https://example.test/quay.jpg']);
    assert.ok(main.html?.includes('<h1>') && !main.html.includes('Imprint'));

    const whole = read({ formats: ['links', 'images'], onlyMainContent: false });
    assert.deepEqual(whole.links, [
      'https://example.test/menu',
      'https://example.test/harbour/cranes',
      'https://example.test/imprint',
    ]);
    assert.deepEqual(whole.images, ['https://example.test/logo.png', 'https://example.test/quay.jpg']);
  });

  it('returns only the requested formats, and the metadata of the whole page', () => {
    const content = read({ formats: ['links'], includeTags: ['.note'] });
    assert.deepEqual(Object.keys(content).sort(), ['links', 'metadata', 'shell']);
    assert.equal(content.metadata.title, 'Quays');
    assert.equal(content.metadata.description, 'Low ones');
  });

  it('discovers the links of the whole page for a crawler, whatever else is requested', () => {
    const { discovered } = read({ discover: { agent: 'trawl' }, includeTags: ['.note'] });
    assert.deepEqual(
      discovered?.links.map(({ text }) => text),
      ['Menu', 'Cranes', 'Imprint'],
    );
    assert.equal('discovered' in read(), false);
  });

  it('applies includeTags and excludeTags before it looks for the main content', () => {
    assert.equal(read({ includeTags: ['.note'] }).markdown, `Note: ${SENTENCE}`);
    assert.ok(!read({ excludeTags: ['.note'] }).markdown?.includes('Note:'));
    assert.ok(read({ includeTags: ['footer'] }).markdown?.includes('Imprint'));
  });

  it('reads attributes of the whole page', () => {
    const attributes = [{ selector: 'a', attribute: 'href' }];
    assert.deepEqual(read({ formats: ['attributes'], attributes }).attributes, [
      { selector: 'a', attribute: 'href', values: ['/menu', 'cranes', '/imprint'] },
    ]);
  });

  it('refuses an invalid selector', () => {
    assert.throws(() => read({ includeTags: ['p:nope('] }), TrawlError);
  });

  it('reports that a page exceeds the limit, and returns what was read', () => {
    const names = Array.from({ length: 256 }, (_, index) => `a${index}`).join(' ');
    const html = `<p>The beginning.</p>${`<p ${names}>`.repeat(10_000)}<p>The end.</p>`;
    const { markdown, warning } = read({ onlyMainContent: false }, html);
    assert.match(markdown ?? '', /The beginning\./);
    assert.match(warning ?? '', /more elements than are read/);
  });

  it('returns text for every page that has some', () => {
    for (const html of [
      'Only text',
      '<p>Only text',
      '<nav>Only text</nav>',
      '<footer>Only text</footer>',
      '<form>Only text<input></form>',
      '<div class="cookie modal">Only text</div>',
      '<body style="display:none">Only text</body>',
      '<table><td>Only text',
    ]) {
      assert.equal(read({}, html).markdown, 'Only text', html);
      assert.equal(read({ onlyCleanContent: true }, html).markdown, 'Only text', html);
    }
  });
});
