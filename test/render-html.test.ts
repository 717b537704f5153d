import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl({ TRAWL_MAX_PAGE_MB: '1' }));

/** What a scrape in the browser makes of a page. */
async function rendered(path: string, body: string, head?: string) {
  const document = await trawl.scrape(site.page(path, html(body, head)), {
    formats: ['rawHtml', 'markdown'],
    onlyMainContent: false,
    waitFor: 1,
    maxAge: 0,
  });
  return { rawHtml: document.rawHtml ?? '', markdown: document.markdown ?? '' };
}

describe('the HTML of a rendered page', () => {
  test('has open and closed shadow roots, nested ones too, where they are shown', async () => {
    const { rawHtml, markdown } = await rendered(
      '/shadow',
      `<x-card>Slotted text</x-card><x-box></x-box><div id="plain"></div><script>
        customElements.define('x-card', class extends HTMLElement { connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Open root</h2><slot></slot><x-inner></x-inner>'; } });
        customElements.define('x-inner', class extends HTMLElement { connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<p>Nested root</p>'; } });
        customElements.define('x-box', class extends HTMLElement { connectedCallback() {
          this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Closed root</p>'; } });
        plain.attachShadow({ mode: 'open' }).innerHTML = '<p>Root of a div</p>';
      </script>`,
    );
    assert.equal(rawHtml.match(/<template shadowrootmode="open"/g)?.length, 3);
    for (const text of ['Open root', 'Slotted text', 'Nested root', 'Closed root', 'Root of a div']) {
      assert.ok(markdown.includes(text), `${text} in ${markdown}`);
    }
  });

  test('has the frames of the same origin in their place, with addresses that hold in the page', async () => {
    site.page(
      '/inner/frame',
      html('<p>Framed text, <a href="next">next</a></p><iframe srcdoc="<p>Innermost</p>"></iframe>'),
    );
    const { markdown } = await rendered(
      '/frames',
      '<p>Before</p><iframe src="/inner/frame"></iframe><p>Between</p><iframe srcdoc="<p>Of srcdoc</p>"></iframe><p>After</p>',
    );
    const order = ['Before', 'Framed text', 'Innermost', 'Between', 'Of srcdoc', 'After'].map((text) =>
      markdown.indexOf(text),
    );
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
      markdown,
    );
    assert.ok(!order.includes(-1), markdown);
    assert.ok(markdown.includes(site.url('/inner/next')), markdown);
  });

  test('has what fields hold, and not what a password field holds', async () => {
    const { rawHtml } = await rendered(
      '/fields',
      `<input id="name"><input id="secret" type="password"><input id="box" type="checkbox"><textarea id="area">old</textarea>
       <select id="list"><option>One</option><option>Two</option></select><script>
       name_ = document.getElementById('name'); name_.value = 'Ada'; secret.value = 'hush'; box.checked = true;
       area.value = 'new text'; list.value = 'Two';</script>`,
    );
    assert.match(rawHtml, /<input id="name" value="Ada">/);
    assert.match(rawHtml, /<input id="box" type="checkbox" checked="">/);
    assert.match(rawHtml, /<textarea id="area">new text<\/textarea>/);
    assert.match(rawHtml, /<option>One<\/option><option selected="">Two<\/option>/);
    assert.ok(!/value="hush"/.test(rawHtml), rawHtml);
  });

  test('leaves out what is for readers without scripts, and large pictures in addresses', async () => {
    const { rawHtml } = await rendered(
      '/noscript',
      `<noscript><p>Enable JavaScript</p></noscript><p>Text</p><img id="large"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
       <script>large.src = 'data:image/png;base64,' + 'A'.repeat(200000)</script>`,
    );
    assert.match(rawHtml, /<noscript><\/noscript><p>Text<\/p>/);
    assert.match(rawHtml, /src="data:image\/gif;base64,R0lGODlhAQABAAAAACw="/);
    assert.ok(rawHtml.length < 2_000, `${rawHtml.length} characters`);
  });

  test('does not depend on what the page overrides', async () => {
    const { markdown } = await rendered(
      '/overrides',
      `<p>True text</p><script>
        for (const name of ['getHTML', 'cloneNode', 'querySelectorAll', 'getAttribute']) Element.prototype[name] = () => { throw 1 };
        Document.prototype.querySelectorAll = () => { throw 1 };
        Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'faked' });
        window.setTimeout = () => {}; window.Promise = undefined; window.performance.now = () => 0;
        window.MutationObserver = class { observe() { throw 1 } };
      </script>`,
    );
    assert.match(markdown, /True text/);
  });

  test('leaves the page as it was for what comes after', async () => {
    const url = site.page(
      '/left-alone',
      html(
        `<noscript>No script</noscript><input id="field"><iframe srcdoc="<p>Framed</p>"></iframe><script>field.value = 'typed'</script>`,
      ),
    );
    const { actions } = await trawl.scrape(url, {
      formats: ['markdown'],
      actions: [{ type: 'scrape' }, { type: 'executeJavascript', script: 'document.body.outerHTML' }],
    });
    const [after] = actions?.javascriptReturns ?? [];
    assert.match(String(after?.value), /<noscript>No script<\/noscript><input id="field"><iframe srcdoc/);
    assert.match(actions?.scrapes[0]?.html ?? '', /value="typed".*<p>Framed<\/p>/);
  });

  test('is refused when it is larger than a page may be', async () => {
    const url = site.page(
      '/large',
      html(`<p id="text"></p><script>text.textContent = 'large '.repeat(400000)</script>`),
    );
    const { status, code } = await trawl.refusal({ url, waitFor: 1 });
    assert.deepEqual([status, code], [413, 'SCRAPE_PAGE_TOO_LARGE']);
  });

  test('comes with the address and the status that the page has at last', async () => {
    site.page('/moved/there', { status: 404, body: html('<h1>Nobody here</h1>') });
    const moved = await trawl.scrape(site.page('/moves', html(`<script>location.href = '/moved/there'</script>`)), {
      waitFor: 1,
    });
    assert.deepEqual([moved.metadata.url, moved.metadata.statusCode], [site.url('/moved/there'), 404]);
    const pushed = await trawl.scrape(
      site.page(
        '/app',
        html(`<p>Welcome</p><a href="child">Child</a><script>history.pushState(null, '', '/app/home/')</script>`),
      ),
      { waitFor: 1, formats: ['links'] },
    );
    assert.equal(pushed.metadata.url, site.url('/app/home/'));
    assert.deepEqual(pushed.links, [site.url('/app/home/child')]);
  });
});
