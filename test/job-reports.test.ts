import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { newId } from '../src/clock.ts';
import { sql } from '../src/store/sql.ts';
import { type BatchErrors, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { inTransaction } from './support/raw-database.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { KEY } from './support/trawl.ts';

const site = await shared(startSite());
const page = site.page('/', html('<h1>Here</h1>'));

interface Report extends BatchErrors {
  next?: string;
}

interface Active {
  crawls: { id: string; options: { limit?: number; scrapeOptions?: Record<string, unknown> } }[];
  data: object[];
  next?: string;
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`reports on jobs in ${name}`, { skip }, () => {
    test('an error report of many megabytes comes in parts of at most 10 MB, with each failure once', async () => {
      await using trawl = await startTrawlOn(create());
      const { id } = await startBatch(trawl, { urls: [page] });
      await finishedBatch(trawl, id);
      const urls = Array.from({ length: 3_000 }, (_, index) => `https://example.com/${'x'.repeat(4000)}/${index}`);
      await inTransaction(trawl.options, async (db) => {
        const [job] = await db.all(sql`select team, number from jobs`);
        for (const [index, url] of urls.entries()) {
          // Every tenth page is disallowed by robots.txt, and many fail in the same millisecond.
          await db.run(sql`
            insert into job_tasks (
              team, job, task_key, role, lane, payload, depth, position, state, run_at, attempts, losses, try_id, error_code,
              error_message, finished_at
            ) values (
              ${Number(job?.team)}, ${Number(job?.number)}, ${`key ${index}`}, 0, 0, ${url}, 0, ${index}, ${index % 10 === 0 ? 4 : 3}, 0, 1, 0, ${newId()},
              'SCRAPE_CONNECTION_ERROR', 'It was refused.', ${1_700_000_000_000 + Math.floor(index / 100)}
            )`);
        }
      });
      const told: string[] = [];
      let parts = 0;
      for (let path: string | undefined = `/v2/batch/scrape/${id}/errors`; path !== undefined; parts++) {
        const { body }: { body: Report } = await trawl.get<Report>(path);
        assert.ok(JSON.stringify(body).length <= 10 * 1024 * 1024 + 5_000);
        told.push(...body.errors.map(({ url }) => url), ...body.robotsBlocked);
        path = body.next?.slice(trawl.address.length);
      }
      assert.equal(parts, 2);
      assert.deepEqual(told.toSorted(), urls.toSorted());

      const { body } = await trawl.get<Report>(`/v2/batch/scrape/${id}/errors?skip=2995&limit=3`);
      assert.equal(body.errors.length + body.robotsBlocked.length, 3);
      assert.equal(body.next, `${trawl.address}/v2/batch/scrape/${id}/errors?skip=2998&limit=3`);
      const last = await trawl.get<Report>(`/v2/batch/scrape/${id}/errors?skip=2998&limit=2`);
      assert.equal(last.body.next, undefined);
    });

    test('a report that fits comes whole to a client that does not page', async () => {
      await using trawl = await startTrawlOn(create());
      const refused = Array.from({ length: 30 }, (_, index) => `http://127.0.0.1:1/${index}`);
      const { id } = await startBatch(trawl, { urls: refused });
      await finishedBatch(trawl, id);
      const sdk = new Firecrawl({ apiKey: KEY, apiUrl: trawl.address });
      const report = await sdk.getBatchScrapeErrors(id);
      assert.equal(report.errors.length, 30);
    });

    test('the list of running crawls stays small whatever their options, and comes in parts', async () => {
      await using trawl = await startTrawlOn(create());
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const held = site.page('/held/', async (_request, response) => {
        reached.resolve();
        await released.promise;
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Here</h1>');
      });
      const long = Array.from(
        { length: 90 },
        (_, index) => `.a-rather-long-name-that-is-a-pattern-and-a-selector-${index}`,
      );
      const ids = [];
      for (let index = 0; index < 5; index++) {
        const body = { url: held, sitemap: 'skip', limit: 7, scrapeOptions: { mobile: true, excludeTags: long } };
        ids.unshift(await startCrawl(trawl, body));
      }
      await reached.promise;
      const { body } = await trawl.get<Active>('/v2/crawl/active');
      assert.deepEqual(
        body.crawls.map(({ id }) => id),
        ids,
      );
      assert.ok(JSON.stringify(body).length < 20_000, `${JSON.stringify(body).length} characters`);
      assert.equal(body.crawls[0]?.options.limit, 7);
      const { mobile, excludeTags } = body.crawls[0]?.options.scrapeOptions ?? {};
      assert.deepEqual([mobile, excludeTags], [true, undefined]);

      const seen: string[] = [];
      for (let path: string | undefined = '/v2/crawl/active?limit=2'; path !== undefined; ) {
        const answer: Active = (await trawl.get<Active>(path)).body;
        seen.push(...answer.crawls.map(({ id }) => id));
        path = answer.next?.slice(trawl.address.length);
      }
      assert.deepEqual(seen, ids);

      released.resolve();
      await Promise.all(ids.map((id) => finishedCrawl(trawl, id, held)));
      assert.deepEqual((await trawl.get<Active>('/v2/crawl/active')).body.crawls, []);
      const rows = await rowsIn(trawl.options, 'select summary from jobs');
      assert.ok(rows.every(({ summary }) => summary === null));
    });
  });
}
