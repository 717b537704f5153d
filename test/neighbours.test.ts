import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { finishedBatch, startBatch } from './support/batch.ts';
import { startCrawl } from './support/crawl.ts';
import { robotsTxt } from './support/crawl-site.ts';
import { silence } from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { type Handler, html, type Site, startSite } from './support/site.ts';
import { addTeam } from './support/team.ts';
import { startTrawl } from './support/trawl.ts';

const trawl = await shared(startTrawl());
const hostile = { key: await addTeam(trawl.dataDir, 'hostile') };

/** Scrapes of the hostile team, which run until they are stopped. Reports how many have ended. */
function attack(urls: readonly string[]) {
  const stop = new AbortController();
  const attack = {
    ended: 0,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await all;
    },
  };
  const scrapes = urls.map(async (url) => {
    const answer = await fetch(`${trawl.address}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hostile.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, maxAge: 0, timeout: 120_000 }),
      signal: stop.signal,
    });
    await answer.text();
    attack.ended++;
  });
  const all = Promise.allSettled(scrapes);
  return attack;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

function asked(site: Site, start: string): number {
  return site.requests.filter(({ path }) => path.startsWith(start)).length;
}

describe('a team that', () => {
  test('stalls bodies declared as 49 MB does not keep others from a large page', async () => {
    await using site = await startSite();
    let sent = 0;
    const stalled: Handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(49 * 1024 * 1024) });
      response.write(Buffer.alloc(2_500_000, '<p>more'), () => sent++);
    };
    site.page('/stalled', stalled);
    const large = site.page('/large', html(`<h1>Large</h1><p>${'words '.repeat(600_000)}</p>`));
    await using stalls = attack(Array.from({ length: 12 }, (_, n) => site.url(`/stalled?${n}`)));
    await until(() => sent === 12);
    const { metadata } = await trawl.scrape(large, { maxAge: 0, formats: ['rawHtml'] });
    assert.equal(metadata.statusCode, 200);
    assert.equal(stalls.ended, 0);
  });

  test('lets requests hang does not hold all connections to a host', async () => {
    await using site = await startSite();
    site.page('/hangs', silence);
    const page = site.page('/page', html('<h1>Here</h1>'));
    await using hangs = attack(Array.from({ length: 200 }, (_, n) => site.url(`/hangs?${n}`)));
    await until(() => asked(site, '/hangs') >= 64);
    assert.match((await trawl.scrape(page, { maxAge: 0 })).markdown ?? '', /Here/);
    assert.equal(hangs.ended, 0);
    assert.equal(asked(site, '/hangs'), 64, 'half of the connections');
  });

  test('scrapes slow pages does not occupy all reading threads', async () => {
    await using site = await startSite();
    site.page('/slow', html('<p>x'.repeat(1_000_000)));
    const large = site.page('/large', html(`<h1>Large</h1>${'<p>Some words of a page.</p>'.repeat(10_000)}`));
    await using slow = attack(Array.from({ length: 8 }, (_, n) => site.url(`/slow?${n}`)));
    await until(() => asked(site, '/slow') === 8);
    assert.match((await trawl.scrape(large, { maxAge: 0 })).markdown ?? '', /Large/);
    // In order of arrival, most of them would have been read first.
    assert.ok(slow.ended <= 3, `${slow.ended} of 8 were read before`);
  });

  test('crawls as a user agent that the host slows down does not slow down others', async () => {
    await using site = await startSite();
    site.page('/robots.txt', robotsTxt('User-agent: slowbot', 'Crawl-delay: 30'));
    const links = Array.from({ length: 20 }, (_, n) => site.page(`/page-${n}`, html(`<h1>Page ${n}</h1>`)));
    const start = site.page('/', html(links.map((link) => `<a href="${link}">A page</a>`).join(' ')));
    const crawl = await startCrawl(trawl, { url: start, robotsUserAgent: 'slowbot' }, hostile);
    const statusOf = async () => {
      const { body } = await trawl.get<{ status: string; completed: number }>(`/v2/crawl/${crawl}`, hostile);
      return body;
    };
    await until(async () => (await statusOf()).completed > 0);
    const { completed } = await finishedBatch(trawl, (await startBatch(trawl, { urls: links, maxAge: 0 })).id);
    assert.equal(completed, 20);
    assert.equal((await statusOf()).status, 'scraping');
    await trawl.call('DELETE', `/v2/crawl/${crawl}`, undefined, hostile);
  });
});
