import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const TEXT = `<p>${'A sentence of a page that needs no browser. '.repeat(20)}</p>`;

test('static pages of a crawl do not wait for the rendered pages of batches', async () => {
  const site = await shared(startSite());
  const trawl = await shared(startTrawl({ TRAWL_WORKER_CONCURRENCY: '32' }));
  const released = Promise.withResolvers<void>();
  site.page('/held', (_request, response) => void released.promise.then(() => response.end('"released"')));
  const rendered = Array.from({ length: 30 }, (_, at) =>
    site.page(
      `/rendered/${at}`,
      html(`<div id="app"></div><script>fetch('/held').then(() => { app.textContent = 'Rendered ${at}' })</script>`),
    ),
  );
  const links = Array.from({ length: 40 }, (_, at) => `/static/${at}`);
  for (const path of links) site.page(path, html(`<h1>${path}</h1>${TEXT}`));
  const start = site.page('/static', html(`${TEXT}${links.map((path) => `<a href="${path}">${path}</a>`).join(' ')}`));

  const options = { waitFor: 1, maxAge: 0, ignoreRobotsTxt: true };
  const batches = await Promise.all(
    [rendered.slice(0, 15), rendered.slice(15)].map((urls) => startBatch(trawl, { urls, ...options })),
  );
  const { data } = await crawl(trawl, start, { sitemap: 'skip' });
  assert.equal(data.length, 41);
  for (const { id } of batches) {
    const { body } = await trawl.get<{ status: string }>(`/v2/batch/scrape/${id}`);
    assert.equal(body.status, 'scraping');
  }

  released.resolve();
  const ended = await Promise.all(batches.map(({ id }) => finishedBatch(trawl, id)));
  const texts = ended.flatMap((batch) => batch.data.map(({ markdown }) => markdown ?? ''));
  assert.equal(texts.filter((text) => text.includes('Rendered')).length, 30, texts.join(', '));
});
