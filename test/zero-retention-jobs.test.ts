import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore, type StoreOptions } from '../src/store/open-store.ts';
import { batchErrors, finishedBatch, startBatch } from './support/batch.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { temporaryFolder } from './support/folder.ts';
import { foundBelow, valuesIn } from './support/marked-files.ts';
import { findPrograms, PostgresServer } from './support/postgres-server.ts';
import { startReceiver } from './support/receiver.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl, type Trawl } from './support/trawl.ts';

const HOUR = 3_600_000;
const SECRET = 'a-secret-of-the-operator-0123456789';

/** Everything a caller could want deleted, each marked with a unique word. */
const PAGES = ['wombat', 'quoll', 'kowari', 'bandicoot', 'potoroo', 'Rottnest'];
const OPTIONS = ['numbat', 'antechinus', 'mulgara', 'phascogale'];
const WEBHOOKS = ['bilby', 'dunnart', 'cuscus'];

interface Place extends AsyncDisposable {
  options: StoreOptions;
  /** All files of the database. */
  folder: string;
  settings: Record<string, string>;
}

const programs = findPrograms();
const PLACES: readonly { name: string; skip: string | false; create(): Promise<Place> }[] = [
  {
    name: 'SQLite',
    skip: false,
    async create() {
      const folder = await temporaryFolder();
      const options = { dataDir: folder.path };
      return {
        options,
        folder: folder.path,
        settings: settingsOf(options),
        [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: 'PostgreSQL',
    skip: programs === undefined && 'there are no programs of PostgreSQL on this machine',
    async create() {
      // A separate server, because all its files are searched, including the log.
      const server = new PostgresServer(programs ?? '', ['fsync=off']);
      await server.start();
      const options = { databaseUrl: server.url, dataDir: 'unused', secret: SECRET };
      const settings = { ...settingsOf(options), TRAWL_SECRET: SECRET };
      return { options, folder: server.folder, settings, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  },
];

/** A site with a held page, one that robots.txt disallows, and a sitemap. */
async function startMarkedSite() {
  const site = await startSite();
  const held = Promise.withResolvers<void>();
  const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
  const page = (path: string, links: string[] = []) =>
    site.page(path, html(`<h1>Rottnest</h1>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`));
  site.page('/robots.txt', text(`User-agent: *\nDisallow: /kowari\nSitemap: ${site.url('/bandicoot.xml')}\n`));
  site.page('/bandicoot.xml', {
    headers: { 'content-type': 'application/xml' },
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url('/wombat/sitemap')}</loc></url></urlset>`,
  });
  page('/wombat/start', ['/wombat/linked?potoroo=1', '/wombat/held', '/kowari/hidden']);
  page('/wombat/linked');
  page('/wombat/sitemap');
  page('/wombat/appended');
  site.page('/wombat/held', (_request, response) => {
    void held.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html('<p>Rottnest</p>')));
  });
  return Object.assign(site, { release: held.resolve });
}

type MarkedSite = Awaited<ReturnType<typeof startMarkedSite>>;

const scrapeOptions = (zero: boolean) => ({
  headers: { Authorization: 'Bearer numbat' },
  excludeTags: ['.mulgara'],
  maxAge: 0,
  ...(zero ? {} : { storeInCache: false }),
});

async function beginBatch(trawl: Trawl, site: MarkedSite, webhook: object, zero: boolean): Promise<string> {
  const urls = ['/wombat/start', '/wombat/held', '/kowari/hidden'].map((path) => site.url(path));
  const body = { urls: [...urls, 'http://quoll.invalid/'], webhook, zeroDataRetention: zero, ...scrapeOptions(zero) };
  const key = { headers: { 'x-idempotency-key': 'phascogale' } };
  const { id } = await startBatch(trawl, body, key);
  assert.equal((await startBatch(trawl, body, key)).id, id, 'the key is known again');
  await startBatch(trawl, { urls: [site.url('/wombat/appended')], appendToId: id });
  return id;
}

async function beginCrawl(trawl: Trawl, site: MarkedSite, webhook: object, zero: boolean): Promise<string> {
  return startCrawl(trawl, {
    url: site.url('/wombat/start'),
    crawlEntireDomain: true,
    excludePaths: ['antechinus'],
    webhook,
    zeroDataRetention: zero,
    scrapeOptions: scrapeOptions(zero),
  });
}

for (const { name, skip, create } of PLACES) {
  describe(`zeroDataRetention of jobs in ${name}`, { skip }, () => {
    for (const kind of ['batch', 'crawl'] as const) {
      for (const zero of [true, false]) {
        const title = zero
          ? 'leaves no trace'
          : 'without it leaves pages, which is how they are found, and no credentials';
        test(`a ${kind} ${title}`, async () => {
          await using location = await create();
          await using site = await startMarkedSite();
          await using receiver = await startReceiver();
          await using trawl = await startTrawl(location.settings);
          const webhook = {
            url: receiver.url(`/bilby/${kind}`),
            headers: { 'x-dunnart': 'dunnart' },
            metadata: { cuscus: 'cuscus' },
          };
          const secrets = [...OPTIONS, ...WEBHOOKS, ...(zero ? [...PAGES, new URL(site.url('/')).host] : [])];
          const assertNoTrace = async () => {
            // The tables come first: reading them makes PostgreSQL write its memory to its files.
            const values = await valuesIn(location.options);
            assert.deepEqual(
              secrets.filter((word) => values.includes(word)),
              [],
            );
            assert.deepEqual(await foundBelow(location.folder, secrets), []);
          };

          const id = await (kind === 'batch' ? beginBatch : beginCrawl)(trawl, site, webhook, zero);
          const events = kind === 'batch' ? 4 : 3;
          await receiver.until(events, `/bilby/${kind}`);
          await assertNoTrace();

          site.release();
          const sources = await resultsOf(trawl, site, kind, id);
          const told = await receiver.until(
            (received) => received.some(({ event }) => event.type.endsWith('completed')),
            `/bilby/${kind}`,
          );
          assert.ok(
            told.every(
              ({ headers, event }) => headers['x-dunnart'] === 'dunnart' && event.metadata.cuscus === 'cuscus',
            ),
          );
          assert.ok(site.requests.some(({ headers }) => headers.authorization === 'Bearer numbat'));
          await assertNoTrace();
          const values = await valuesIn(location.options);
          for (const word of ['wombat', 'kowari', 'Rottnest']) assert.equal(values.includes(word), !zero, word);

          // The data promised for the hour is there: results, the error report and the webhook report.
          assert.deepEqual(await resultsOf(trawl, site, kind, id), sources);
          const { body } = await trawl.get<{ events: { url: string | null }[] }>(
            `/v2/${kind === 'batch' ? 'batch/scrape' : 'crawl'}/${id}/webhook`,
          );
          assert.ok(body.events.some(({ url }) => url === site.url('/wombat/start')));
        });
      }
    }

    test('erases the key of a job after an hour, in every copy that the database keeps internally', async () => {
      await using location = await create();
      await using site = await startMarkedSite();
      site.release();
      await using trawl = await startTrawl(location.settings);
      const { id } = await startBatch(trawl, { urls: [site.url('/wombat/start')], zeroDataRetention: true });
      await finishedBatch(trawl, id);
      const [row] = await rowsIn(location.options, 'select sealed_key from job_keys');
      const key = String(row?.sealed_key);
      assert.ok(key.length > 100);
      const store = await openStore(location.options);
      try {
        while (await store.sweep({ now: Date.now() + HOUR + 1_000, cacheBytes: 0 }));
      } finally {
        await store.close();
      }
      assert.deepEqual(await rowsIn(location.options, 'select sealed_key from job_keys'), []);
      assert.equal((await trawl.get(`/v2/batch/scrape/${id}`)).status, 404);
      // PostgreSQL keeps it in its log, where it is useless without TRAWL_SECRET.
      if (location.options.databaseUrl !== undefined) return;
      assert.deepEqual(await foundBelow(location.folder, [key]), []);
    });
  });
}

/** The outcome of an ended job: sources of its documents, failed and blocked addresses. */
async function resultsOf(trawl: Trawl, site: MarkedSite, kind: 'batch' | 'crawl', id: string): Promise<string[]> {
  if (kind === 'crawl') {
    const done = await finishedCrawl(trawl, id, site.url('/'));
    assert.deepEqual(done.paths, ['/wombat/held', '/wombat/linked?potoroo=1', '/wombat/sitemap', '/wombat/start']);
    assert.deepEqual(done.robotsBlocked, [site.url('/kowari/hidden')]);
    return done.paths;
  }
  const { data } = await finishedBatch(trawl, id);
  const sources = data.map(({ metadata }) => metadata.sourceURL).sort();
  assert.deepEqual(
    sources,
    ['/wombat/appended', '/wombat/held', '/wombat/start'].map((path) => site.url(path)),
  );
  const report = await batchErrors(trawl, id);
  assert.deepEqual(report.robotsBlocked, [site.url('/kowari/hidden')]);
  assert.deepEqual(
    report.errors.map(({ url, code }) => [url, code]),
    [['http://quoll.invalid/', 'SCRAPE_DNS_RESOLUTION_ERROR']],
  );
  assert.match(report.errors[0]?.error ?? '', /quoll\.invalid/);
  return sources;
}
