import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowsIn } from '../../test/support/rows.ts';
import { shared } from '../../test/support/shared.ts';
import { html, startSite } from '../../test/support/site.ts';
import { STORE_KINDS, type StoreKind } from '../../test/support/stores.ts';
import { TrawlError } from '../errors.ts';
import { map } from '../map/map.ts';
import { PageWorkers } from '../pages/page-workers/page-workers.ts';
import type { ScrapeRequest } from '../pages/request.ts';
import { NO_STAGES } from '../pages/stages.ts';
import { RobotsCache } from '../site/robots-cache.ts';
import { createSiteFetcher } from '../site/site-fetcher.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { authenticate, createKey, firstStart } from '../team/keys.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { scrape } from './scrape.ts';

const site = await shared(startSite());
const fetcher = createSiteFetcher({ allowNetworks: ['127.0.0.0/8'], maxBodyBytes: 1_000_000 });
await shared(Promise.resolve({ [Symbol.asyncDispose]: () => fetcher.close() }));
const here = site.page('/', html('<h1>Here</h1>'));
const nowhere = 'http://127.0.0.1:1/';
const never = new AbortController().signal;
const origin = { apiVersion: 'v2' as const, origin: null, integration: null, auditUsername: null };
const refused = new ConstraintError('value', 'too large');
const away = new TrawlError('STORE_UNAVAILABLE', 'The disk is full.');

function request(url: string, given: Partial<ScrapeRequest> = {}): ScrapeRequest {
  return {
    ...{ url, formats: ['markdown'], attributes: [], onlyMainContent: true, onlyCleanContent: false, includeTags: [] },
    ...{ excludeTags: [], removeBase64Images: true, blockAds: true, headers: {}, mobile: false, verifyTls: true },
    ...{ location: { country: undefined, languages: [] }, proxy: 'auto', timeout: 60_000, maxAge: 0 },
    ...{ minAge: undefined, storeInCache: true, lockdown: false, zeroDataRetention: false, redactPII: undefined },
    ...{ threatProtection: undefined, waitFor: 0, actions: [], screenshot: undefined },
    ...given,
  };
}

/** A caller with services whose store `spoil` makes fail, and the errors that were reported. */
async function open({ create }: StoreKind, spoil: (store: Store) => Store) {
  const place = await create();
  const store = await openStore(place.options);
  await firstStart(store);
  const caller = await authenticate(store, (await createKey(store, 'test')).key);
  assert.ok(caller);
  const workers = new PageWorkers();
  const reported: string[] = [];
  const services = {
    ...{ store: spoil(store), fetcher, read: workers.read, prices: createPriceList(store), running: new RunningWork() },
    ...{
      resultMs: 60_000,
      stages: NO_STAGES,
      robots: new RobotsCache(fetcher),
      onError: (_error: unknown, what: string) => reported.push(what),
      counts: { page: () => {}, cache: () => {} },
    },
  };
  return {
    reported,
    scrape: (asked: ScrapeRequest) =>
      scrape(services, { caller, request: asked, origin, publicAddress: '', cancelled: never }),
    map: (url: string) => {
      const asked = {
        ...{
          url,
          search: undefined,
          sitemap: 'include' as const,
          includeSubdomains: false,
          limit: 10,
          timeout: 60_000,
        },
        ...{ ignoreQueryParameters: true, ignoreCache: true, location: { country: undefined, languages: [] } },
        threatProtection: undefined,
      };
      return map(services, { caller, request: asked, origin, cancelled: never });
    },
    rows: (query: string) => rowsIn(place.options, query),
    async [Symbol.asyncDispose]() {
      await workers.close();
      await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const withPut = (put: Store['pages']['put']) => (store: Store) => ({ ...store, pages: { ...store.pages, put } });
const withRecord = (record: (store: Store) => Store['scrapes']['record']) => (store: Store) => {
  return { ...store, scrapes: { ...store.scrapes, record: record(store) } };
};

for (const kind of STORE_KINDS) {
  describe(`a scrape with a failing store, on ${kind.name}`, { skip: kind.skip }, () => {
    for (const error of [refused, away]) {
      test(`is delivered and charged when the cache fails with ${error.name}`, async () => {
        await using on = await open(
          kind,
          withPut(() => Promise.reject(error)),
        );
        const { markdown } = await on.scrape(request(here));
        assert.match(markdown ?? '', /Here/);
        assert.deepEqual(on.reported, ['a page was not stored in the cache']);
        assert.equal((await on.rows('select 1 from charges')).length, 1);
      });

      test(`reports why it failed, not that recording the failure threw ${error.name}`, async () => {
        await using on = await open(
          kind,
          withRecord(() => () => Promise.reject(error)),
        );
        await assert.rejects(on.scrape(request(nowhere)), { code: 'SCRAPE_CONNECTION_ERROR' });
        await assert.rejects(on.scrape(request(here, { lockdown: true })), { code: 'SCRAPE_LOCKDOWN_CACHE_MISS' });
        assert.deepEqual(on.reported, Array(2).fill('a failed scrape was not recorded'));
        assert.equal((await on.rows('select 1 from charges')).length, 0);
      });
    }

    test('is delivered and charged once when its document cannot be stored', async () => {
      await using on = await open(
        kind,
        withRecord((store) => async (scrape) => {
          if (scrape.document !== null) throw refused;
          await store.scrapes.record(scrape);
        }),
      );
      const { markdown, metadata } = await on.scrape(request(here));
      assert.match(markdown ?? '', /Here/);
      const [record] = await on.rows('select id, outcome from scrapes');
      assert.deepEqual([record?.id, record?.outcome], [metadata.scrapeId, 'completed']);
      assert.equal((await on.rows('select 1 from charges')).length, 1);
    });

    test('fails and costs nothing when not even its charge can be stored', async () => {
      await using on = await open(
        kind,
        withRecord((store) => async (scrape) => {
          if (scrape.charge !== null) throw away;
          await store.scrapes.record(scrape);
        }),
      );
      await assert.rejects(on.scrape(request(here)), away);
      const [record] = await on.rows('select outcome, credits from scrapes');
      assert.deepEqual([record?.outcome, Number(record?.credits)], ['failed', 0]);
      assert.equal((await on.rows('select 1 from charges')).length, 0);
    });

    test('of a site that fails is a map that tells why, not that it was not recorded', async () => {
      await using on = await open(kind, (store) => {
        return { ...store, activity: { ...store.activity, record: () => Promise.reject(refused) } };
      });
      await assert.rejects(on.map('http://nothing.invalid/'), { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
      assert.deepEqual(on.reported, ['a failed map was not recorded']);
    });
  });
}
