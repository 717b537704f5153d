import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl, { type ActionOption, type Document, type ScrapeOptions } from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The SDK as it is published, against pages that only a browser can read, in scrapes, batches and crawls. */

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

const click = (selector: string): ActionOption => ({ type: 'click', selector });
const write = (text: string): ActionOption => ({ type: 'write', text });

interface Page {
  name: string;
  body: string;
  actions: ActionOption[];
  says: RegExp;
}

site.page('/welcome', html('<h1>Welcome, mara</h1>'));
site.page(
  '/inner',
  html(`<h1>Inner</h1><button onclick="document.querySelector('h1').textContent = 'Inner clicked'">B</button>`),
);
site.page('/popup', html('<h1>The pop-up</h1>'));
site.page('/download', {
  headers: { 'content-disposition': 'attachment', 'content-type': 'application/zip' },
  body: 'PK',
});

const PAGES: Page[] = [
  {
    name: 'single-page application',
    body: `<div id="app"></div><script>
      const draw = () => { app.innerHTML = location.hash === '#two' ? '<h1>View two</h1>' : '<a href="#two">Two</a>'; };
      onhashchange = () => setTimeout(draw, 50); draw();</script>`,
    actions: [click('#app a'), { type: 'wait', selector: 'h1' }],
    says: /View two/,
  },
  {
    name: 'infinite scroll',
    body: `<div id="list"></div><script>
      let n = 0; const more = () => { for (let i = 0; i < 40; i++) list.insertAdjacentHTML('beforeend', '<p>Item ' + ++n + ' of many</p>'); };
      more(); onscroll = () => { if (n < 400 && scrollY + innerHeight > document.body.scrollHeight - 200) more(); };</script>`,
    actions: Array.from({ length: 6 }, () => ({ type: 'scroll', direction: 'down' })),
    says: /Item 80 of many/,
  },
  {
    name: 'login form',
    body: '<form action="/welcome"><input name="user"><input name="password" type="password"><button>Sign in</button></form>',
    actions: [click('[name=user]'), write('mara'), { type: 'press', key: 'Tab' }, write('secret'), click('button')],
    says: /Welcome, mara/,
  },
  {
    name: 'tabs',
    body: `<button onclick="two.hidden = false">Two</button><section id="two" hidden><p>The second panel of the page.</p></section>`,
    actions: [click('button')],
    says: /second panel/,
  },
  {
    name: 'frames',
    body: '<h1>Outer</h1><iframe src="/inner"></iframe>',
    actions: [click('button')],
    says: /Inner clicked/,
  },
  {
    name: 'shadow DOM',
    body: `<x-card></x-card><script>customElements.define('x-card', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>B</button><p></p>';
      root.querySelector('button').onclick = () => { root.querySelector('p').textContent = 'Shadow text'; }; } })</script>`,
    actions: [click('x-card button')],
    says: /Shadow text/,
  },
  {
    name: 'dialogs',
    body: `<script>alert('hello')</script><button onclick="out.textContent = confirm('Sure?') ? 'Confirmed' : 'Refused'">B</button><p id="out"></p>`,
    actions: [click('button')],
    says: /Confirmed/,
  },
  {
    name: 'download',
    body: '<h1>Still here</h1><a href="/download">Get it</a>',
    actions: [click('a')],
    says: /Still here/,
  },
  {
    name: 'pop-up',
    body: `<button onclick="open('/popup', 'p', 'width=300,height=200')">B</button>`,
    actions: [click('button')],
    says: /The pop-up/,
  },
  {
    name: 'cookie banner',
    body: `<button onclick="out.textContent = 'Read on'">More</button><p id="out"></p>
      <div style="position:fixed;inset:0;background:#fff">We use cookies. <button>Accept</button></div>`,
    actions: [click('button')],
    says: /Read on/,
  },
];

function optionsOf({ actions }: Page): ScrapeOptions {
  return { formats: ['markdown', { type: 'screenshot', quality: 40 }], onlyMainContent: false, waitFor: 10, actions };
}

async function assertPage({ markdown, screenshot }: Document, says: RegExp): Promise<void> {
  assert.match(markdown ?? '', says);
  const picture = await fetch(screenshot ?? '');
  assert.equal(picture.headers.get('content-type'), 'image/jpeg');
  assert.ok((await picture.bytes()).length > 500);
}

describe('the SDK scrapes through a browser', () => {
  for (const page of PAGES) {
    const url = site.page(`/${encodeURIComponent(page.name)}`, html(page.body));

    test(`${page.name}, in a scrape`, async () => {
      await assertPage(await client.scrape(url, optionsOf(page)), page.says);
    });

    test(`${page.name}, in a batch`, async () => {
      const { data } = await client.batchScrape([url], { options: optionsOf(page), pollInterval: 1 });
      assert.equal(data.length, 1);
      for (const document of data) await assertPage(document, page.says);
    });

    test(`${page.name}, in a crawl`, async () => {
      const { data } = await client.crawl(url, { limit: 1, scrapeOptions: optionsOf(page), pollInterval: 1 });
      assert.equal(data.length, 1);
      for (const document of data) await assertPage(document, page.says);
    });
  }
});

test('the SDK tells which action failed', async () => {
  const url = site.page('/plain', html('<p>plain</p>'));
  const call = client.scrape(url, { actions: [{ type: 'scrape' }, click('#none')] });
  await assert.rejects(call, { status: 400, message: /Action 1 \("click"\) failed: no element matches "#none"/ });
});
