import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heldPage } from './support/held-page.ts';
import * as hostile from './support/hostile.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { addTeam } from './support/team.ts';
import { startTrawl } from './support/trawl.ts';

interface Activity {
  data: { id: string; endpoint: string; api_version: string; created_at: string; target: string | null }[];
  cursor: string | null;
  has_more: boolean;
}

interface QueueStatus {
  jobsInQueue: number;
  activeJobsInQueue: number;
  waitingJobsInQueue: number;
  maxConcurrency: number;
  mostRecentSuccess: string | null;
}

const site = await shared(startSite());
const page = site.page('/', html('<h1>Here</h1>'));

for (const { name, skip, create } of STORE_KINDS) {
  describe(`GET /v2/team/activity on ${name}`, { skip }, () => {
    test('lists calls newest first, failed ones too, without addresses under zero data retention', async () => {
      await using location = await create();
      await using trawl = await startTrawl(settingsOf(location.options));
      const gone = site.page('/gone', hostile.hangUp);
      const first = await trawl.scrape(page);
      const secret = await trawl.scrape(page, { zeroDataRetention: true });
      await trawl.refusal({ url: gone }, { version: 'v1' });
      const { body } = await trawl.get<Activity>('/v2/team/activity');
      assert.deepEqual(
        body.data.map(({ endpoint, api_version, target }) => ({ endpoint, api_version, target })),
        [
          { endpoint: 'scrape', api_version: 'v1', target: gone },
          { endpoint: 'scrape', api_version: 'v2', target: null },
          { endpoint: 'scrape', api_version: 'v2', target: page },
        ],
      );
      assert.deepEqual(
        body.data.slice(1).map(({ id }) => id),
        [secret.metadata.scrapeId, first.metadata.scrapeId],
      );
      assert.ok(body.data.every(({ created_at }) => Math.abs(Date.now() - Date.parse(created_at)) < 60_000));
      assert.deepEqual({ cursor: body.cursor, more: body.has_more }, { cursor: null, more: false });
    });

    test('records the end user of every kind of call', async () => {
      await using location = await create();
      await using trawl = await startTrawl(settingsOf(location.options));
      const auditMetadata = { username: 'ada' };
      for (const [path, body] of [
        ['scrape', { url: page, auditMetadata }],
        ['batch/scrape', { urls: [page], auditMetadata }],
        ['crawl', { url: page, scrapeOptions: { auditMetadata } }],
        ['map', { url: page, auditMetadata }],
        ['map', { url: page }],
      ] as const) {
        const { status, body: answer } = await trawl.post(`/v2/${path}`, body);
        assert.equal(status, 200, answer.error);
      }
      const rows = await rowsIn(location.options, 'select endpoint, audit_username from activity order by id');
      assert.deepEqual(
        rows.map((row) => [row.endpoint, row.audit_username]),
        [
          ['scrape', 'ada'],
          ['batch_scrape', 'ada'],
          ['crawl', 'ada'],
          ['map', 'ada'],
          ['map', null],
        ],
      );
    });

    test('is paged by a cursor that returns each call once, even while new calls arrive', async () => {
      await using location = await create();
      await using trawl = await startTrawl(settingsOf(location.options));
      const ids: string[] = [];
      for (let count = 0; count < 7; count++) ids.unshift((await trawl.scrape(page)).metadata.scrapeId);
      const told: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await trawl.get<Activity>(`/v2/team/activity?limit=3&endpoint=scrape${query}`);
        told.push(...body.data.map(({ id }) => id));
        assert.equal(body.has_more, body.cursor !== null);
        ({ cursor } = body);
        await trawl.scrape(page);
      }
      assert.deepEqual(told, ids);
      const { body } = await trawl.get<Activity>('/v2/team/activity?endpoint=crawl');
      assert.deepEqual(body.data, []);
    });
  });
}

describe('GET /v2/team/activity', () => {
  test('shows a team only its own calls, whatever the cursor', async () => {
    await using trawl = await startTrawl();
    const key = await addTeam(trawl.dataDir, 'other');
    await trawl.scrape(page);
    const last = await trawl.scrape(page);
    const { body } = await trawl.get<Activity>(`/v2/team/activity?cursor=${last.metadata.scrapeId}`, { key });
    assert.deepEqual(body.data, []);
  });

  test('refuses an invalid limit, cursor or endpoint', async () => {
    await using trawl = await startTrawl();
    for (const [query, says] of [
      ['limit=0', /limit/],
      ['limit=101', /limit/],
      ['limit=many', /limit/],
      ['cursor=first', /cursor: must be the cursor of an earlier answer/],
      ['endpoint=teleport', /endpoint/],
    ] as const) {
      const { status, body } = await trawl.get(`/v2/team/activity?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.error, says);
    }
  });
});

test('queue-status and concurrency-check report what is running for the team', async () => {
  await using trawl = await startTrawl();
  const key = await addTeam(trawl.dataDir, 'busy', 'free');
  const status = async (version: string) =>
    (await trawl.get<QueueStatus>(`/${version}/team/queue-status`, { key })).body;
  const idle = {
    success: true,
    jobsInQueue: 0,
    activeJobsInQueue: 0,
    waitingJobsInQueue: 0,
    maxConcurrency: 2,
    mostRecentSuccess: null,
  };
  assert.deepEqual(await status('v2'), idle);

  const held = heldPage(site, '/held');
  const scrape = trawl.scrape(held.address, {}, { key });
  await held.reached;
  for (const version of ['v1', 'v2'])
    assert.deepEqual(await status(version), { ...idle, jobsInQueue: 1, activeJobsInQueue: 1 });
  const check = await trawl.get('/v2/concurrency-check', { key });
  assert.deepEqual(check.body, { success: true, concurrency: 1, maxConcurrency: 2 });
  // Only the calls of this team.
  const other = await trawl.get('/v2/concurrency-check');
  assert.deepEqual(other.body, { success: true, concurrency: 0, maxConcurrency: 999_999_999 });

  held.release();
  await scrape;
  const { mostRecentSuccess, ...now } = await status('v2');
  assert.deepEqual({ ...now, mostRecentSuccess: null }, idle);
  assert.ok(Math.abs(Date.now() - Date.parse(mostRecentSuccess ?? '')) < 60_000);
});
