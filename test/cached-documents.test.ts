import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import type { PageStages } from '../src/pages/stages.ts';
import { openStore } from '../src/store/open-store.ts';
import { createTeam } from '../src/team/teams.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const HOUR = 3_600_000;

const site = await shared(startSite());
let visits = 0;
const page = site.page('/page', (_request, response) => {
  visits += 1;
  response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<h1>Visit ${visits}</h1>`));
});
site.page('/', html('<h1>Start</h1><a href="/second">Second</a>'));
site.page('/second', html('<h1>Second</h1>'));
const text = site.page('/text', (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('Some text.');
});
const long = site.page(
  '/long',
  html(
    `<h1>Long</h1>${Array.from({ length: 20_000 }, (_, at) => `<p>Paragraph ${at} says something else.</p>`).join('')}`,
  ),
);

for (const { name, skip, create } of STORE_KINDS) {
  describe(`documents in the cache, on ${name}`, { skip }, () => {
    /** A service that counts the pages that it reads. */
    async function open() {
      const location = await create();
      let read = 0;
      const isRead: PageStages['read'][number] = {
        isFor() {
          read += 1;
          return false;
        },
        read: () => Promise.reject(new Error('It is for nothing.')),
      };
      const stages = { obtain: [], read: [isRead], enrich: [] };
      const trawl = await startTrawl(settingsOf(location.options), { stages });
      return {
        trawl,
        options: location.options,
        /** The number of pages read since the last call. */
        reads() {
          const since = read;
          read = 0;
          return since;
        },
        async stored() {
          return (await rowsIn(location.options, 'select document from page_documents')).length;
        },
        async [Symbol.asyncDispose]() {
          await trawl[Symbol.asyncDispose]();
          await location[Symbol.asyncDispose]();
        },
      };
    }

    test('answer the same request without reading the page again, with the details of the new scrape', async () => {
      await using on = await open();
      const first = await on.trawl.scrape(page, { formats: ['markdown', 'links'] });
      assert.equal(on.reads(), 1);
      const second = await on.trawl.scrape(`${page}#part`, { formats: ['links', 'markdown'], maxAge: HOUR });
      assert.equal(on.reads(), 0);
      const { scrapeId, cachedAt } = second.metadata;
      assert.notEqual(scrapeId, first.metadata.scrapeId);
      assert.ok(cachedAt !== undefined);
      const anew = { scrapeId, cachedAt, sourceURL: `${page}#part`, cacheState: 'hit' };
      assert.deepEqual(second, { ...first, metadata: { ...first.metadata, ...anew } });
      // The result can be fetched again as it was answered.
      const { body } = await on.trawl.get(`/v2/scrape/${scrapeId}`);
      assert.deepEqual(body.data, second);
      const locked = await on.trawl.scrape(page, { formats: ['markdown', 'links'], lockdown: true });
      assert.equal(locked.metadata.creditsUsed, 5);
      assert.equal(on.reads(), 0);
    });

    test('are kept once for each requested combination of formats and options', async () => {
      await using on = await open();
      const shapes = [
        {},
        { formats: ['html'] },
        { onlyMainContent: false },
        { excludeTags: ['h1'] },
        { includeTags: ['h1'] },
        { redactPII: true },
        { redactPII: { entities: ['EMAIL'] } },
        { formats: [{ type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }] },
      ];
      for (const count of [1, 0]) {
        for (const shape of shapes) {
          await on.trawl.scrape(page, shape);
          assert.equal(on.reads(), count, JSON.stringify(shape));
        }
      }
    });

    test('are replaced when the copy of the page is', async () => {
      await using on = await open();
      const formats = { formats: ['markdown', 'html'] };
      await on.trawl.scrape(page);
      await on.trawl.scrape(page, formats);
      const restore = useClock(() => Date.now() + HOUR);
      try {
        const fresh = await on.trawl.scrape(page, { maxAge: 0 });
        assert.equal(on.reads(), 3);
        const { markdown, metadata } = await on.trawl.scrape(page, formats);
        assert.equal(metadata.cacheState, 'hit');
        assert.equal(markdown, fresh.markdown);
        assert.equal(on.reads(), 1, 'the other document was of the older copy');
        assert.equal(await on.stored(), 2);
      } finally {
        restore();
      }
    });

    test('answer pages of batches and crawls, with links for crawls to follow', async () => {
      await using on = await open();
      const states = new Set<string>();
      for (const count of [1, 0]) {
        const { id } = await startBatch(on.trawl, { urls: [page] });
        const { data } = await finishedBatch(on.trawl, id);
        assert.match(data[0]?.markdown ?? '', /Visit/);
        states.add(data[0]?.metadata.cacheState ?? '');
        assert.equal(on.reads(), count);
      }
      // A document that a batch has read also answers a scrape.
      await on.trawl.scrape(page);
      assert.equal(on.reads(), 0);
      for (const count of [2, 0]) {
        const options = { sitemap: 'skip', scrapeOptions: { maxAge: HOUR } };
        const { paths, data } = await crawl(on.trawl, site.url('/'), options);
        assert.deepEqual(paths, ['/', '/second']);
        assert.equal(data.length, 2);
        assert.equal(on.reads(), count);
      }
      assert.deepEqual([...states], ['miss', 'hit']);
    });

    test('keep warnings about the page, while warnings about options come from each request', async () => {
      await using on = await open();
      const warningOf = async (options = {}) => {
        const { warning } = await on.trawl.scrape(text, { formats: ['markdown', 'product'], ...options });
        return warning ?? '';
      };
      assert.match(await warningOf({ fastMode: true }), /describes no product.*fastMode/s);
      assert.equal(on.reads(), 1);
      assert.match(await warningOf(), /^A page of type text\/plain describes no product\.$/);
      assert.match(await warningOf({ mobile: false, fastMode: true }), /describes no product.*fastMode/s);
      assert.equal(on.reads(), 0);
    });

    test('are not kept when the request asks for no storage', async () => {
      await using on = await open();
      await on.trawl.scrape(page, { zeroDataRetention: true });
      await on.trawl.scrape(page, { storeInCache: false });
      assert.equal(await on.stored(), 0);
      await on.trawl.scrape(page, { formats: ['links'] });
      assert.equal(await on.stored(), 1);
      // These use the copy from the scrape above.
      for (const options of [{ zeroDataRetention: true }, { storeInCache: false }]) {
        const { metadata } = await on.trawl.scrape(page, options);
        assert.equal(metadata.cacheState, 'hit');
      }
      const { id } = await startBatch(on.trawl, { urls: [page], zeroDataRetention: true });
      await finishedBatch(on.trawl, id);
      assert.equal(await on.stored(), 1);
    });

    test('are not shared between teams', async () => {
      await using on = await open();
      await on.trawl.scrape(page);
      const store = await openStore(on.options);
      const { key } = await createTeam(store, 'other', 'unlimited');
      await store.close();
      const { metadata } = await on.trawl.scrape(page, {}, { key });
      assert.equal(metadata.cacheState, 'miss');
      assert.equal(on.reads(), 2);
    });

    test('have a size and count limit, beyond which they are built again', async () => {
      await using on = await open();
      for (const count of [1, 1]) {
        await on.trawl.scrape(long);
        assert.equal(on.reads(), count);
      }
      for (let index = 0; index < 12; index++) await on.trawl.scrape(page, { excludeTags: [`.part-${index}`] });
      assert.equal(await on.stored(), 8);
    });
  });
}
