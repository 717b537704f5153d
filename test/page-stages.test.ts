import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrawlError } from '../src/errors.ts';
import type { Artifact, ArtifactOwner, ArtifactStore, EnrichStage, PageStages } from '../src/pages/stages.ts';
import { openStore, type StoreOptions } from '../src/store/open-store.ts';
import { setPlan } from '../src/team/operator-plans.ts';
import { costOf, setPrice } from '../src/team/prices.ts';
import { createTeam } from '../src/team/teams.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const WAIT_MS = 200;
const HOUR = 3_600_000;
/** Requests the stages of this test. */
const SEALED = { headers: { 'x-seal': 'yes' } };

const site = await shared(startSite());
const page = site.page('/page', html('<h1>A page</h1>'));
const file = site.page('/file.pdf', (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 one two three');
});
site.page('/', html('<h1>Start</h1><a href="/second">Second</a>'));
site.page('/second', html('<h1>Second</h1>'));

const isAsked: EnrichStage['isFor'] = ({ headers }) => headers['x-seal'] === 'yes';

/** A slow stage, and one that adds an artifact and a cost for which twelve credits are reserved. */
function sealing(during: () => Promise<void> = () => sleep(WAIT_MS)): PageStages['enrich'] {
  return [
    {
      isFor: isAsked,
      async enrich(document) {
        await during();
        return { document: { ...document, markdown: `${document.markdown} after a while` } };
      },
    },
    {
      isFor: isAsked,
      maxCosts: (_options, prices) => [costOf(prices, 'PDF page', 12)],
      async enrich(document, { prices }) {
        const artifact: Artifact = {
          type: 'image/png',
          bytes: Buffer.from(document.markdown ?? ''),
          keepMs: HOUR,
          addTo(to, address) {
            to.metadata.seal = address;
          },
        };
        return { document, costs: [costOf(prices, 'PDF page', 3)], artifacts: [artifact] };
      },
    },
  ];
}

/** Reads each word of a file as a page with a price. */
const files: PageStages['read'] = [
  {
    isFor: ({ page: { contentType } }) => contentType === 'application/pdf',
    maxCosts: (_options, prices) => [costOf(prices, 'PDF page', 10)],
    async read({ page: { body, url, status, contentType, proxyUsed } }, { request, scrapeId, prices }) {
      const words = Buffer.from(body).toString().split(' ').slice(1);
      const facts = { sourceURL: request.url, url, statusCode: status, contentType, scrapeId, proxyUsed };
      const metadata = { ...facts, cacheState: 'miss' as const, creditsUsed: 0 };
      return {
        document: { markdown: words.join('\n\n'), metadata },
        costs: [costOf(prices, 'PDF page', words.length)],
      };
    },
  },
];

class Shelf implements ArtifactStore {
  readonly kept: (ArtifactOwner & Pick<Artifact, 'type' | 'keepMs'> & { text: string })[] = [];

  async put({ type, keepMs, bytes }: Artifact, owner: ArtifactOwner): Promise<string> {
    this.kept.push({ ...owner, type, keepMs, text: Buffer.from(bytes).toString() });
    return `https://shelf.test/${this.kept.length}`;
  }
}

async function itemsIn(options: StoreOptions): Promise<unknown[]> {
  const rows = await rowsIn(options, 'select items from charges order by charge_key');
  return rows.map(({ items }) => (typeof items === 'string' ? JSON.parse(items) : items));
}

const SEALED_ITEMS = [
  { what: 'page', count: 1, credits: 1 },
  { what: 'PDF page', count: 3, credits: 3 },
];

for (const { name, skip, create } of STORE_KINDS) {
  describe(`page stages on ${name}`, { skip }, () => {
    test('take part in a scrape with their time, artifacts and costs', async () => {
      await using location = await create();
      const shelf = new Shelf();
      const stages = { obtain: [], read: [], enrich: sealing() };
      await using trawl = await startTrawl(settingsOf(location.options), { stages, artifacts: shelf });
      const before = performance.now();
      const { markdown, metadata } = await trawl.scrape(page, SEALED);
      assert.ok(performance.now() - before >= WAIT_MS);
      assert.equal(markdown, '# A page after a while');
      assert.equal(metadata.seal, 'https://shelf.test/1');
      assert.equal(metadata.creditsUsed, 4);
      const { teamId = '' } = shelf.kept[0] ?? {};
      assert.deepEqual(shelf.kept, [
        {
          ...{ teamId, scrapeId: metadata.scrapeId, zeroDataRetention: false, publicAddress: trawl.address },
          ...{ type: 'image/png', keepMs: HOUR, text: '# A page after a while' },
        },
      ]);
      const plain = await trawl.scrape(page);
      assert.equal(plain.markdown, '# A page');
      assert.deepEqual(await itemsIn(location.options), [SEALED_ITEMS, null]);
      assert.deepEqual(
        (await rowsIn(location.options, 'select credits from scrapes order by id')).map(({ credits }) =>
          Number(credits),
        ),
        [4, 1],
      );
      // Stages run for each scrape, even when the cache has the document.
      const again = await trawl.scrape(page, SEALED);
      assert.equal(again.metadata.cacheState, 'hit');
      assert.equal(again.markdown, '# A page after a while');
      assert.equal(again.metadata.seal, 'https://shelf.test/2');
      assert.equal(again.metadata.creditsUsed, 4);
    });

    test('take part in a batch and in a crawl', async () => {
      await using location = await create();
      const shelf = new Shelf();
      const stages = { obtain: [], read: [], enrich: sealing() };
      await using trawl = await startTrawl(settingsOf(location.options), { stages, artifacts: shelf });
      const { id } = await startBatch(trawl, { urls: [page], ...SEALED });
      const batch = await finishedBatch(trawl, id);
      assert.equal(batch.creditsUsed, 4);
      assert.equal(batch.data[0]?.markdown, '# A page after a while');
      assert.equal(batch.data[0]?.metadata.creditsUsed, 4);

      for (const maxAge of [0, HOUR]) {
        const found = await crawl(trawl, site.url('/'), { sitemap: 'skip', scrapeOptions: { ...SEALED, maxAge } });
        assert.deepEqual(found.paths, ['/', '/second']);
        assert.equal(found.creditsUsed, 8);
        for (const { markdown, metadata } of found.data) {
          assert.equal(metadata.cacheState, maxAge === 0 ? 'miss' : 'hit');
          assert.match(markdown ?? '', /after a while$/);
          assert.match(String(metadata.seal), /^https:\/\/shelf\.test\/\d$/);
        }
      }
      assert.equal(shelf.kept.length, 5);
      assert.deepEqual(
        await itemsIn(location.options),
        Array.from({ length: 5 }, () => SEALED_ITEMS),
      );
    });

    test('reserve the maximum cost of a page and refund the rest', async () => {
      await using location = await create();
      const store = await openStore(location.options);
      try {
        await setPlan(store, 'tiny', { monthlyCredits: 17 });
        const { key } = await createTeam(store, 'small', 'tiny');
        const credits = async () => {
          const { body } = await trawl.get<{ data: { remainingCredits: number } }>('/v2/team/credit-usage', { key });
          return body.data.remainingCredits;
        };
        let during: number | undefined;
        let failure: TrawlError | undefined;
        const enrich = sealing(async () => {
          during = await credits();
          if (failure !== undefined) throw failure;
        });
        const stages = { obtain: [], read: [], enrich };
        await using trawl = await startTrawl(settingsOf(location.options), { stages, artifacts: new Shelf() });

        await trawl.scrape(page, SEALED, { key });
        assert.equal(during, 4, 'a page and 12 more');
        assert.equal(await credits(), 13);
        failure = new TrawlError('SCRAPE_TIMEOUT', 'It took too long.');
        assert.equal((await trawl.refusal({ url: page, ...SEALED }, { key })).code, 'SCRAPE_TIMEOUT');
        assert.equal(during, 0);
        assert.equal(await credits(), 13);
        failure = undefined;

        const { id } = await startBatch(trawl, { urls: [page], ...SEALED }, { key });
        const batch = await finishedBatch(trawl, id, { key });
        assert.equal(batch.creditsUsed, 4);
        assert.equal(during, 0);
        assert.equal(await credits(), 9);
        // It could cost 13 and only 9 are left, so nothing starts.
        during = undefined;
        assert.equal((await trawl.refusal({ url: page, ...SEALED }, { key })).status, 402);
        assert.equal(during, undefined);
        await trawl.scrape(page, {}, { key });
        assert.equal(await credits(), 8);
      } finally {
        await store.close();
      }
    });

    test('read content that is not a page, priced by its contents, from the cache too', async () => {
      await using location = await create();
      const stages = { obtain: [], read: files, enrich: [] };
      await using trawl = await startTrawl(settingsOf(location.options), { stages });
      for (const cacheState of ['miss', 'hit']) {
        const { markdown, metadata } = await trawl.scrape(file);
        assert.equal(metadata.cacheState, cacheState);
        assert.equal(markdown, 'one\n\ntwo\n\nthree');
        assert.equal(metadata.creditsUsed, 4);
      }
      const { id } = await startBatch(trawl, { urls: [file], maxAge: 0 });
      const batch = await finishedBatch(trawl, id);
      assert.equal(batch.data[0]?.markdown, 'one\n\ntwo\n\nthree');
      assert.equal(batch.creditsUsed, 4);
      const left = await rowsIn(location.options, 'select id from reservations');
      assert.deepEqual(left, []);
    });

    test('obtain a page in another way, and their artifacts are made again along with the document', async () => {
      await using location = await create();
      const shelf = new Shelf();
      const obtain: PageStages['obtain'] = [
        {
          isFor: isAsked,
          async obtain(fetcher, { request: { url }, deadline, share, prices }) {
            const way = { headers: {}, mobile: false, languages: [], verifyTls: true, proxy: 'auto' as const };
            const obtained = await fetcher.fetch({ ...way, url, deadline, share });
            const artifact: Artifact = {
              ...{ type: 'image/png', bytes: obtained.body, keepMs: HOUR },
              addTo(document, address) {
                document.metadata.picture = address;
              },
            };
            return { page: obtained, costs: [costOf(prices, 'PDF page')], artifacts: [artifact] };
          },
        },
      ];
      const stages = { obtain, read: [], enrich: [] };
      await using trawl = await startTrawl(settingsOf(location.options), { stages, artifacts: shelf });
      const { metadata } = await trawl.scrape(page, { ...SEALED, maxAge: 0 });
      assert.equal(metadata.picture, 'https://shelf.test/1');
      assert.equal(metadata.creditsUsed, 2);
      assert.match(shelf.kept[0]?.text ?? '', /<h1>A page/);
      assert.deepEqual(await rowsIn(location.options, 'select shape from page_documents'), []);
    });
  });
}

test('a job is charged at the prices of its start, including its stages', async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const enrich = sealing(async () => {
    begun.resolve();
    await held.promise;
  });
  await using trawl = await startTrawl({}, { stages: { obtain: [], read: [], enrich }, artifacts: new Shelf() });
  const { id } = await startBatch(trawl, { urls: [page], maxAge: 0, ...SEALED });
  await begun.promise;
  const store = await openStore({ dataDir: trawl.dataDir });
  await setPrice(store, 'pdfPage', 100);
  await setPrice(store, 'scrape', 100);
  await store.close();
  held.resolve();
  assert.equal((await finishedBatch(trawl, id)).creditsUsed, 4);
});
