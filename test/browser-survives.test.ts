import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { browserProcesses, profilesOf } from './support/browser-processes.ts';
import { temporaryFolder } from './support/folder.ts';
import { Scraped } from './support/metrics.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, type Site, startSite } from './support/site.ts';

const KILLS = process.env.TRAWL_TEST_FULL === '1' ? 50 : 3;
const skip = process.platform !== 'linux' && 'the processes of the browser are read from /proc';

const site = await shared(startSite());
const folder = await shared(temporaryFolder());
const trawl = await shared(startProcess({ TRAWL_DATA_DIR: folder.path }));

/** Requires the browser. */
const RENDERED = { formats: ['markdown'], waitFor: 1, maxAge: 0, onlyMainContent: false };

/** What a process of the service leaves behind takes a moment to go, which nothing announces. */
async function untilGone(profiles: readonly string[]): Promise<void> {
  const isLeft = () =>
    browserProcesses(profiles).length > 0 || profiles.some((name) => existsSync(join(tmpdir(), name)));
  while (isLeft()) await pause(20);
}

function killBrowser(service: TrawlProcess): void {
  for (const { pid, type } of browserProcesses(profilesOf(service.pid))) {
    if (type === 'browser') process.kill(pid, 'SIGKILL');
  }
}

/** A page that asks for something late, and the moment at which it does. */
function slowPage(path: string, { page }: Site = site) {
  const asked = Promise.withResolvers<void>();
  page(`${path}/late`, async (_request, response) => {
    asked.resolve();
    await pause(200);
    response.end(`Late text of ${path}`);
  });
  const url = page(
    path,
    html(
      `<p id="late">Loading</p><script>fetch('${path}/late').then((a) => a.text()).then((t) => { late.textContent = t })</script>`,
    ),
  );
  return { url, asked: asked.promise };
}

describe('a service whose browser is killed', { skip }, () => {
  test(`in the middle of scrapes, ${KILLS} times, gives each its result`, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const pages = [1, 2, 3].map((n) => slowPage(`/killed/${kill}/${n}`));
      const scrapes = pages.map(({ url }) => trawl.scrape(url, RENDERED));
      await Promise.race(pages.map(({ asked }) => asked));
      killBrowser(trawl);
      for (const [index, { markdown = '' }] of (await Promise.all(scrapes)).entries()) {
        assert.match(markdown, new RegExp(`Late text of /killed/${kill}/${index + 1}\\b`));
      }
    }
    const metrics = await Scraped.parse(await (await fetch(`${trawl.address}/metrics`)).text());
    assert.equal(metrics.value('trawl_browser_ends_total', { reason: 'crashed' }), KILLS);
    assert.equal(profilesOf(trawl.pid).length, 1);
  });

  test('twice during one scrape says so', async () => {
    const url = site.page('/deadly', (_request, response) => {
      killBrowser(trawl);
      response.end(html('Never seen'));
    });
    const { code } = await trawl.refusal({ url, ...RENDERED });
    assert.equal(code, 'SCRAPE_BROWSER_CRASHED');
  });
});

describe('a page', { skip }, () => {
  const neighbour = () => {
    const { url } = slowPage('/neighbour');
    return trawl.scrape(url, RENDERED);
  };

  test('that takes all memory gets an error, and its neighbours their results', async () => {
    const url = site.page(
      '/memory',
      html('<script>const all = []; setInterval(() => { all.push(new Uint8Array(1e8).fill(1)) }, 1)</script>'),
    );
    const [{ code }, { markdown }] = await Promise.all([
      trawl.refusal({ url, ...RENDERED, waitFor: 20_000, timeout: 60_000 }),
      neighbour(),
    ]);
    assert.equal(code, 'SCRAPE_PAGE_TOO_LARGE');
    assert.match(markdown ?? '', /Late text/);
  });

  test('of a million elements is read or refused', async () => {
    const script =
      'const box = document.createElement("div"); box.innerHTML = "<b>x</b>".repeat(1e6); document.body.append(box)';
    const url = site.page('/elements', html(`<p>Start</p><script>${script}</script>`));
    const { status, body } = await trawl.post('/v2/scrape', { url, ...RENDERED, timeout: 60_000 });
    if (status === 200) assert.match(body.data.markdown ?? '', /^Start/);
    else assert.equal(body.code, 'SCRAPE_PAGE_TOO_LARGE');
  });

  test('that alerts forever gets an error in time', async () => {
    const url = site.page('/alerts', html('<script>for (;;) alert("Again")</script>'));
    const { status } = await trawl.refusal({ url, ...RENDERED, timeout: 5_000 });
    assert.ok([408, 500].includes(status));
  });

  test('that never ends loading gives what came, or its timeout', async () => {
    const open = Promise.withResolvers<void>();
    const url = site.page('/endless', async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><p>What came so far.</p>');
      await Promise.race([open.promise, once(response, 'close')]);
      response.end();
    });
    const { markdown } = await trawl.scrape(url, { ...RENDERED, timeout: 20_000 });
    assert.match(markdown ?? '', /What came so far/);
    open.resolve();
    const silent = site.page('/silent', () => {});
    const { code } = await trawl.refusal({ url: silent, ...RENDERED, timeout: 2_000 });
    assert.equal(code, 'SCRAPE_TIMEOUT');
  });

  test('that was given up on leaves its slot to the next at once', async () => {
    const silent = site.page('/given-up', () => {});
    const many = Array.from({ length: 12 }, () => trawl.refusal({ url: silent, ...RENDERED, timeout: 1_500 }));
    for (const { code } of await Promise.all(many)) assert.equal(code, 'SCRAPE_TIMEOUT');
    assert.match((await neighbour()).markdown ?? '', /Late text/);
  });
});

describe('nothing is left', { skip }, () => {
  for (const [signal, how] of [
    ['SIGTERM', 'stopped'],
    ['SIGKILL', 'killed'],
  ] as const) {
    test(`of the browser of a service that is ${how}`, async () => {
      await using data = await temporaryFolder();
      await using service = await startProcess({ TRAWL_DATA_DIR: data.path });
      await service.scrape(slowPage(`/${signal}`).url, RENDERED);
      const profiles = profilesOf(service.pid);
      assert.equal(profiles.length, 1);
      const types = browserProcesses(profiles).map(({ type }) => type);
      assert.ok(types.includes('browser') && types.includes('cleaner'), types.join());
      await service.stop(signal);
      await untilGone(profiles);
    });
  }
});
