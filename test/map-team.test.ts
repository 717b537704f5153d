import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { startTrawlOn } from './support/batch.ts';
import { siteOf } from './support/crawl-site.ts';
import { heldPage } from './support/held-page.ts';
import * as hostile from './support/hostile.ts';
import { addLimitedTeam, perMinute } from './support/limited-team.ts';
import { map } from './support/map.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const site = await shared(siteOf({ '/': ['/a'] }));
const broken = await shared(startSite());
broken.page('/', hostile.hangUp);
broken.page('/robots.txt', hostile.hangUp);

for (const { name, skip, create } of STORE_KINDS) {
  describe(`a map and its team in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));
    const team = (limits: Parameters<typeof addLimitedTeam>[1]) => addLimitedTeam(trawl.options, limits);
    const chargesOf = async (teamId: string) => {
      const query = `select charge_key, capability, job_id from charges where team_id = '${teamId}'`;
      return (await rowsIn(trawl.options, query)).map((row) => ({ ...row }));
    };
    const activityOf = async (key: string) => {
      const { body } = await trawl.get<{ data: { id: string; endpoint: string; target: string }[] }>(
        '/v2/team/activity?endpoint=map',
        { key },
      );
      return body.data;
    };
    const status = async (key: string, url = site.start) => (await trawl.post('/v2/map', { url }, { key })).status;

    test('costs a credit and has a line in the activity log', async () => {
      const { key, teamId } = await team({});
      const { id } = await map(trawl, site.start, {}, { key });
      assert.deepEqual(await chargesOf(teamId), [{ charge_key: `map:${id}`, capability: 'map', job_id: id }]);
      const [call, ...others] = await activityOf(key);
      assert.deepEqual([call?.id, call?.target, others], [id, site.start, []]);
    });

    test('costs nothing when it fails, and is still in the activity log', async () => {
      const { key, teamId } = await team({});
      assert.equal(await status(key, broken.url('/')), 502);
      assert.deepEqual(await chargesOf(teamId), []);
      assert.equal((await activityOf(key)).length, 1);
    });

    test('costs nothing when the client hangs up, even if something was found, and frees its slot', async () => {
      const { key, teamId } = await team({ plan: { concurrency: 1 } });
      await using own = await siteOf({ '/': ['/a'] });
      const held = heldPage(own, '/sitemap.xml');
      const abandoned = request(`${trawl.address}/v2/map`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        agent: false,
      });
      abandoned.on('error', () => {});
      abandoned.end(JSON.stringify({ url: own.start }));
      await held.reached;
      assert.equal(await status(key), 429);
      abandoned.destroy();
      // The service notices when the connection closes.
      while ((await status(key)) === 429);
      held.release();
      assert.equal((await chargesOf(teamId)).length, 1);
      assert.equal((await activityOf(key)).length, 2);
    });

    test('lists pages of the site that the team has scraped before last, and none of other teams', async () => {
      await using own = await siteOf({ '/': ['/linked'], '/known': [], '/theirs': [] });
      const [{ key }, other] = [await team({}), await team({})];
      await trawl.scrape(own.url('/known?page=1'), {}, { key });
      await trawl.scrape(own.url('/missing'), {}, { key });
      await trawl.scrape(own.url('/theirs'), {}, { key: other.key });
      const paths = async (options: object) =>
        (await map(trawl, own.start, options, { key })).links.map(({ url }) => new URL(url).pathname);
      assert.deepEqual(await paths({}), ['/', '/linked', '/known']);
      for (const options of [{ ignoreCache: true }, { limit: 2 }])
        assert.deepEqual(await paths(options), ['/', '/linked']);
      assert.deepEqual(await paths({ search: 'known', limit: 1 }), ['/known']);
      const { body } = await trawl.call<{ links: string[] }>(
        'POST',
        '/v1/map',
        { url: own.start, useIndex: false },
        { key },
      );
      assert.equal(body.links.length, 2);
    });

    test('fetches the page again when told to, and otherwise at most once an hour', async () => {
      await using own = await siteOf({ '/': ['/linked'] });
      const { key } = await team({});
      const asked = () => own.requests.filter(({ path }) => path === '/').length;
      for (const [options, times] of [
        [{}, 1],
        [{}, 1],
        [{ ignoreCache: true }, 2],
      ] as const) {
        assert.equal((await map(trawl, own.start, options, { key })).links.length, 2);
        assert.equal(asked(), times);
      }
    });

    test('is a 402 before any work when credits run out', async () => {
      const { key } = await team({ plan: { monthlyCredits: 1 } });
      assert.equal(await status(key), 200);
      const before = site.requests.length;
      assert.equal(await status(key), 402);
      assert.equal(site.requests.length, before);
    });

    test('counts towards the per-minute limit of its own group, in both versions together', async () => {
      const { key } = await team({ plan: { requestsPerMinute: perMinute(100, { map: 2 }) } });
      const body = { url: site.start };
      assert.equal((await trawl.post('/v2/map', body, { key })).headers.get('x-ratelimit-remaining'), '1');
      assert.equal((await trawl.post('/v1/map', body, { key })).status, 200);
      const { status, body: refusal } = await trawl.post('/v2/map', body, { key });
      assert.deepEqual([status, refusal.code], [429, 'RATE_LIMIT_EXCEEDED']);
      assert.equal((await trawl.post('/v2/scrape', body, { key })).status, 200);
    });

    test('needs a key that may map', async () => {
      const { key } = await team({ endpointGroups: ['scrape'] });
      assert.equal(await status(key), 403);
      const other = await team({ endpointGroups: ['map'] });
      assert.equal(await status(other.key), 200);
    });
  });
}
