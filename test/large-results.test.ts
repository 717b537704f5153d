import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import type { ScrapedDocument } from '../src/pages/document.ts';
import { type ArtifactLocation, RESULT_LOCATIONS, withStoreAt } from './support/artifact-locations.ts';
import { type BatchStatus, finishedBatch, startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import { largePage } from './support/large-page.ts';
import type { LargeResultLine } from './support/large-result-process.ts';
import { foundBelow, valuesIn } from './support/marked-files.ts';
import { runTrawl, startProcess } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { startS3 } from './support/s3.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { openStream } from './support/stream.ts';
import { startTrawl, type TrawlClient } from './support/trawl.ts';

const HOUR = 3_600_000;
const MB = 1024 * 1024;
const PROCESS = join(import.meta.dirname, 'support', 'large-result-process.ts');
/** They stay out of the cache, which would keep the pages in the database too. */
const RAW = { formats: ['rawHtml'], storeInCache: false };

const site = await shared(startSite());
const receiver = await shared(startReceiver());
const small = site.page('/small', html('<h1>Small</h1>'));
const [one = '', two = ''] = [largePage(site, '/one'), largePage(site, '/two')];

/** Removes what is over its time after so many milliseconds more. */
function sweepLater(location: ArtifactLocation, ms: number, limits: { resultBytes?: number } = {}): Promise<void> {
  return withStoreAt(location, async (store) => {
    const errors: unknown[] = [];
    while (await store.sweep({ now: Date.now() + ms, cacheBytes: 1e12, ...limits }, (error) => errors.push(error)));
    assert.deepEqual(errors, []);
  });
}

/** The ids of artifacts that rows of results name. */
async function namedIds({ options }: Pick<ArtifactLocation, 'options'>): Promise<string[]> {
  const tables = ['scrapes', 'job_results', 'job_conclusions'];
  const query = tables.map((table) => `select artifact from ${table} where artifact is not null`).join(' union all ');
  return (await rowsIn(options, query)).map(({ artifact }) => String(artifact)).sort();
}

/** Bytes of documents that stand in rows of results. */
async function bytesInRows({ options }: Pick<ArtifactLocation, 'options'>): Promise<number> {
  const rows = await rowsIn(
    options,
    'select length(document) as bytes from scrapes union all select length(document) from job_results',
  );
  return rows.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0);
}

async function scrapeAgain(trawl: TrawlClient, id: string): Promise<ScrapedDocument> {
  const { status, body } = await trawl.get(`/v2/scrape/${id}`);
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  return body.data;
}

const lengths = (documents: readonly ScrapedDocument[]) => documents.map(({ rawHtml = '' }) => rawHtml.length).sort();

for (const { name, skip, create } of RESULT_LOCATIONS) {
  describe(`large results in ${name}`, { skip }, () => {
    test('are read as all others are: by id, as a status, on a WebSocket, by a webhook', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings);
      const document = await trawl.scrape(one, RAW);
      assert.deepEqual(await scrapeAgain(trawl, document.metadata.scrapeId), document);
      const little = await trawl.scrape(small, RAW);

      const path = `/large-${encodeURIComponent(name)}`;
      const { id, url } = await startBatch(trawl, { urls: [one, two, small], ...RAW, webhook: receiver.url(path) });
      const { data } = await finishedBatch(trawl, id);
      const expected = [document, await trawl.scrape(two, RAW), little];
      assert.deepEqual(lengths(data), lengths(expected));
      const stream = openStream(url);
      await stream.ended;
      const [catchup] = stream.messages;
      assert.ok(catchup?.type === 'catchup');
      assert.deepEqual(lengths(catchup.data.data), lengths(expected));
      const pages = await receiver.until(
        (received) => received.filter(({ event }) => event.type === 'batch_scrape.page').length === 3,
        path,
      );
      const told = pages.flatMap(({ event }) => event.data);
      assert.ok(told.some(({ rawHtml }) => rawHtml === document.rawHtml));

      const outside = location.takesResults ? 4 : 0;
      const kept = (await location.keptIds()).sort();
      assert.equal(kept.length, outside);
      assert.deepEqual(await namedIds(location), kept);
      const inRows = await bytesInRows(location);
      assert.ok(location.takesResults ? inRows < 10_000 : inRows > MB, `${inRows} bytes are in rows`);
      // A team's results have the same size, wherever they are.
      await withStoreAt(location, async (store) => {
        const [team] = await store.teams.list();
        const { resultBytes } = await store.teams.measure(team?.id ?? '');
        assert.ok(resultBytes > 1.5 * MB && resultBytes < 2 * MB, `${resultBytes}`);
      });
    });

    test('are gone with their time, and so are their bytes', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings);
      const { metadata } = await trawl.scrape(one, RAW);
      const { id } = await startBatch(trawl, { urls: [one, two], ...RAW });
      await finishedBatch(trawl, id);
      await sweepLater(location, 23 * HOUR);
      assert.equal((await finishedBatch(trawl, id)).data.length, 2);
      assert.equal((await location.keptIds()).length, location.takesResults ? 3 : 0);
      await sweepLater(location, 25 * HOUR);
      assert.equal((await trawl.get(`/v2/scrape/${metadata.scrapeId}`)).status, 404);
      assert.equal((await trawl.get<BatchStatus>(`/v2/batch/scrape/${id}`)).status, 404);
      assert.deepEqual(await location.keptIds(), []);
      assert.deepEqual(await rowsIn(location.options, 'select id from artifacts'), []);
    });

    test('make room for newer ones, the oldest first, with their bytes', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings);
      const ids: string[] = [];
      for (let count = 0; count < 4; count++) ids.push((await trawl.scrape(one, RAW)).metadata.scrapeId);
      const { id } = await startBatch(trawl, { urls: [one, two], ...RAW });
      await finishedBatch(trawl, id);
      // Each takes some 400 KB: two scrapes have to go.
      await sweepLater(location, 0, { resultBytes: 1.8 * MB });
      const statuses = await Promise.all(ids.map(async (scrape) => (await trawl.get(`/v2/scrape/${scrape}`)).status));
      assert.deepEqual(statuses, [404, 404, 200, 200]);
      assert.equal((await finishedBatch(trawl, id)).data.length, 2);
      assert.equal((await location.keptIds()).length, location.takesResults ? 4 : 0);
      assert.deepEqual(await namedIds(location), (await location.keptIds()).sort());
    });

    test('of a batch with zero data retention are nowhere in clear, and unreadable when its key is erased', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings);
      const marked = largePage(site, '/marked', 'quokka '.repeat(1_000));
      const { id } = await startBatch(trawl, { urls: [marked], ...RAW, zeroDataRetention: true });
      const { data } = await finishedBatch(trawl, id);
      assert.match(data[0]?.rawHtml ?? '', /quokka/);
      const kept = location.takesResults ? 1 : 0;
      assert.equal((await location.keptIds()).length, kept);
      assert.ok(!(await valuesIn(location.options)).includes('quokka'));
      assert.ok(!(await location.holds('quokka')));
      assert.deepEqual(await foundBelow(location.options.dataDir, ['quokka']), []);
      await sweepLater(location, HOUR + 1_000);
      assert.deepEqual(await location.keptIds(), []);
      assert.deepEqual(await rowsIn(location.options, 'select job from job_keys'), []);
    });

    test('lose nothing that was acknowledged when a process is killed, and leave nothing else behind', async () => {
      await using location = await create();
      const { keeper: _, ...options } = location.options;
      const args = [JSON.stringify(options), JSON.stringify(location.s3?.settings ?? null)];
      const writer = spawn(process.execPath, [PROCESS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      const owner = { teamId: '', job: '' };
      const scrapes = new Map<string, string>();
      let completed = 0;
      for await (const json of createInterface(writer.stdout)) {
        const line: LargeResultLine = JSON.parse(json);
        if ('teamId' in line) Object.assign(owner, line);
        else if ('scrape' in line) scrapes.set(line.scrape, line.hash);
        else completed = line.completed;
        if (scrapes.size >= 20 && completed >= 12) writer.kill('SIGKILL');
      }
      assert.ok(scrapes.size >= 20 && completed >= 12);
      if (location.takesResults) {
        const pending = await rowsIn(location.options, 'select id from artifacts where kept_at is null');
        assert.ok(pending.length > 0, 'it was killed between the row of some bytes and that of their result');
      }

      await sweepLater(location, 6 * 60_000);
      assert.deepEqual((await location.keptIds()).sort(), await namedIds(location));
      assert.deepEqual(
        (await rowsIn(location.options, 'select id from artifacts')).map(({ id }) => String(id)).sort(),
        await namedIds(location),
      );
      await withStoreAt(location, async (store) => {
        for (const [id, hash] of scrapes) {
          const document = (await store.scrapes.get(owner.teamId, id))?.document ?? '';
          assert.equal(createHash('sha256').update(document).digest('hex'), hash);
        }
        const job = (await store.jobs.find(owner.teamId, 'batch', owner.job)) ?? assert.fail();
        assert.ok(job.completed >= completed);
        let read = 0;
        while (read < job.completed) read += (await store.jobs.results(job, { skip: read, limit: null })).length;

        await store.teams.markDeleted(owner.teamId, Date.now());
        // The worker was killed: its lease is over by then.
        const later = Date.now() + 120_000;
        while ((await store.teams.deleteSome(owner.teamId, later)) === 'more');
        assert.equal(await store.teams.find(owner.teamId), null);
      });
      assert.deepEqual(await location.keptIds(), []);
      assert.deepEqual(await rowsIn(location.options, 'select id from artifacts'), []);
    });

    test('are in a backup, which needs no other files, and in a store that was moved', {
      timeout: 300_000,
    }, async () => {
      await using location = await create();
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'backup.db');
      let id: string;
      let scraped: ScrapedDocument;
      {
        await using trawl = await startTrawl(location.settings);
        scraped = await trawl.scrape(one, RAW);
        ({ id } = await startBatch(trawl, { urls: [one, two, small], ...RAW, zeroDataRetention: true }));
        await finishedBatch(trawl, id);
        const { code, stderr } = await runTrawl(['backup', file], location.settings);
        assert.equal(code, 0, stderr);
      }
      const moved = join(folder.path, 'moved');
      const { code, stderr } = await runTrawl(['move', '--to', moved], location.settings);
      assert.equal(code, 0, stderr);
      // Nothing of the original is left to read from.
      for (const artifact of await location.keptIds()) await location.lose(artifact).catch(() => {});

      const check = async (settings: Record<string, string>) => {
        await using trawl = await startTrawl(settings);
        assert.deepEqual(await scrapeAgain(trawl, scraped.metadata.scrapeId), scraped);
        const { data } = await finishedBatch(trawl, id);
        assert.deepEqual(lengths(data).length, 3);
        assert.ok(data.some(({ rawHtml }) => rawHtml === scraped.rawHtml));
      };
      await check({ TRAWL_DATA_DIR: moved });
      assert.deepEqual(await namedIds({ options: { dataDir: moved } }), []);
      assert.deepEqual(await rowsIn({ dataDir: moved }, 'select id from artifacts'), []);
      for (const kind of STORE_KINDS.filter((other) => other.skip === false)) {
        await using fresh = await kind.create();
        const restored = await runTrawl(['restore', file], settingsOf(fresh.options));
        assert.equal(restored.code, 0, restored.stderr);
        await check(settingsOf(fresh.options));
      }
    });

    test('whose bytes are missing are an error that says so, and hide no other result', async (context) => {
      await using location = await create();
      if (!location.takesResults) return context.skip('they are in rows');
      await using trawl = await startTrawl(location.settings);
      const { metadata } = await trawl.scrape(one, RAW);
      const [lost = ''] = await location.keptIds();
      const other = await trawl.scrape(two, RAW);
      await location.lose(lost);
      const { status, body } = await trawl.get(`/v2/scrape/${metadata.scrapeId}`);
      assert.deepEqual({ status, code: body.code }, { status: 500, code: 'INTERNAL_ERROR' });
      assert.deepEqual(await scrapeAgain(trawl, other.metadata.scrapeId), other);
    });
  });
}

describe('a bucket that does not answer', () => {
  for (const failing of ['refuses', 'hangs'] as const) {
    test(`that ${failing} leaves large results in their rows, and the log says so once`, async () => {
      await using s3 = await startS3();
      await using folder = await temporaryFolder();
      const settings = { TRAWL_DATA_DIR: folder.path, ...s3.environment, TRAWL_LOG_LEVEL: 'warn' };
      await using trawl = await startProcess(settings);
      const document = await trawl.scrape(one, RAW);
      assert.equal(s3.objects.size, 1);

      if (failing === 'hangs') s3.isSilent = true;
      else s3.failures.push(...Array.from({ length: 100 }, () => ({ status: 503, code: 'SlowDown' })));
      const urls = Array.from({ length: 12 }, (_, index) => largePage(site, `/away/${failing}/${index}`));
      const begun = performance.now();
      const { id } = await startBatch(trawl, { urls, ...RAW });
      const { data, status } = await finishedBatch(trawl, id);
      assert.deepEqual([status, data.length], ['completed', 12]);
      assert.ok(performance.now() - begun < 25_000, 'one try of 4 s for all of them');
      const second = await trawl.scrape(two, RAW);
      assert.deepEqual(await scrapeAgain(trawl, second.metadata.scrapeId), second);
      assert.equal(s3.objects.size, 1);
      assert.equal(trawl.stdout.match(/large results are stored in the database/g)?.length, 1, trawl.stdout);

      const away = await trawl.get(`/v2/scrape/${document.metadata.scrapeId}`);
      assert.deepEqual([away.status, away.body.code], [503, 'STORE_UNAVAILABLE']);
      s3.isSilent = false;
      s3.failures.length = 0;
      assert.deepEqual(await scrapeAgain(trawl, document.metadata.scrapeId), document);
    });
  }
});
