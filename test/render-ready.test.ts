import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const TEXT = `<p>${'This is a sentence of the page that was here from the start. '.repeat(20)}</p>`;

/** The Markdown of a page that is rendered, and the milliseconds that it took. */
async function rendered(path: string, body: string, options: object = {}) {
  const start = performance.now();
  const url = site.page(path, html(body));
  const { markdown = '' } = await trawl.scrape(url, { waitFor: 1, onlyMainContent: false, maxAge: 0, ...options });
  return { markdown, took: performance.now() - start };
}

/** Answers after a while, as a data base does. */
function answerLater(path: string, ms: number, body = '"data"'): void {
  site.page(path, (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), ms);
  });
}

describe('a rendered page is ready', () => {
  test('when what its requests bring is shown, also when one follows from another', async () => {
    answerLater('/first', 400);
    answerLater('/second', 400);
    const { markdown } = await rendered(
      '/chain',
      `${TEXT}<div id="late"></div><script>
        fetch('/first').then(() => fetch('/second')).then((answer) => answer.json()).then((data) => { late.textContent = 'Late ' + data });
      </script>`,
    );
    assert.match(markdown, /Late data/);
  });

  test('when its text appears after a while without any request', async () => {
    const { markdown } = await rendered(
      '/timer',
      `<div id="root"></div><script>setTimeout(() => { root.innerHTML = '<p>After a while</p>' }, 1000)</script>`,
    );
    assert.match(markdown, /After a while/);
  });

  test('when its sign of loading is gone', async () => {
    const { markdown } = await rendered(
      '/spinner',
      `${TEXT}<div id="box"><div class="loading-spinner" style="width: 50px; height: 50px"></div></div>
       <script>setTimeout(() => { box.innerHTML = '<p>Loaded at last</p>' }, 1000)</script>`,
    );
    assert.match(markdown, /Loaded at last/);
  });

  test('although it polls, ticks, streams and never finishes a request', async () => {
    site.page('/never', () => {});
    answerLater('/poll', 20);
    const { markdown, took } = await rendered(
      '/restless',
      `${TEXT}<span id="clock"></span><script>
        setInterval(() => { clock.textContent = 'Time ' + Date.now() }, 20);
        setInterval(() => fetch('/poll?' + Date.now()), 50);
        navigator.sendBeacon('/never'); new EventSource('/never'); new Image().src = '/never';
      </script>`,
    );
    assert.match(markdown, /Time \d+/);
    assert.ok(took < 9_000, `${took} ms`);
  });

  test('although its document never ends', async () => {
    const url = site.page('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(`<!doctype html><title>Endless</title><h1>Beginning</h1>${TEXT}`);
    });
    const { markdown } = await trawl.scrape(url, { waitFor: 1, timeout: 6_000 });
    assert.match(markdown ?? '', /Beginning/);
  });

  test('when the parts that load on scrolling are there, and is at its top again', async () => {
    answerLater('/part', 100);
    const { markdown } = await rendered(
      '/tall',
      `${TEXT}<div style="height: 4000px"></div><div id="part" style="height: 100px"></div><p id="place"></p><script>
        new IntersectionObserver(async ([entry], observer) => {
          if (!entry.isIntersecting) return;
          observer.disconnect();
          await fetch('/part');
          part.textContent = 'Seen part';
          place.textContent = 'Scrolled to ' + scrollY;
        }).observe(part);
      </script>`,
    );
    assert.match(markdown, /Seen part/);
    assert.match(markdown, /Scrolled to 0/);
  });

  test('when an endless list has given some screens', async () => {
    answerLater('/rows', 50);
    const { markdown } = await rendered(
      '/list',
      `<ul id="list"></ul><script>
        let count = 0;
        const add = () => { for (let n = 0; n < 10; n++) list.insertAdjacentHTML('beforeend', '<li style="height: 200px">Row ' + count++ + '</li>') };
        add();
        let asked = false;
        addEventListener('scroll', async () => {
          if (asked || scrollY + innerHeight < document.body.scrollHeight - 300) return;
          asked = true; await fetch('/rows?' + count); add(); asked = false;
        });
      </script>`,
    );
    assert.match(markdown, /Row 19/);
  });

  test('in time for the deadline', async () => {
    site.page('/slow', () => {});
    const { markdown } = await rendered(
      '/hurry',
      `<div id="root"></div><p>Shown at once</p><script>fetch('/slow').then(() => { root.textContent = 'Too late' })</script>`,
      { timeout: 5_000 },
    );
    assert.match(markdown, /Shown at once/);
  });
});
