import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { clientOf } from '../src/team/keyless.ts';
import { temporaryFolder } from './support/folder.ts';
import { map } from './support/map.ts';
import { createDatabase, missingPostgres } from './support/postgres.ts';
import { runTrawl } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl, type TrawlClient } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', html('<h1>For everybody</h1>'));
/** On loopback every client has the same address, unless a trusted proxy says otherwise. */
const BEHIND_PROXY = { TRAWL_TRUSTED_PROXIES: '127.0.0.1' };
const NO_ID = '01890000-0000-7000-8000-000000000000';

const from = (address: string, authorization?: string) => ({
  key: null,
  headers: { 'x-forwarded-for': address, ...(authorization === undefined ? {} : { authorization }) },
});
const ask = (trawl: TrawlClient, address: string) => trawl.get(`/v2/scrape/${NO_ID}`, from(address));

describe('without a key, where the operator allows some requests a day', async () => {
  const trawl = await shared(startTrawl({ ...BEHIND_PROXY, TRAWL_KEYLESS_PER_DAY: '3' }));

  for (const [name, authorization] of [
    ['no header', undefined],
    ['a bearer without a token', 'Bearer'],
    ['a bearer with a space', 'Bearer '],
    ['the word undefined, as the command line sends it', 'Bearer undefined'],
  ] as const) {
    test(`${name} is accepted`, async () => {
      const caller = from(`198.51.100.${1 + (authorization?.length ?? 0)}`, authorization);
      const { status, headers, body } = await trawl.post('/v2/scrape', { url }, caller);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers.get('x-ratelimit-limit'), '3');
      assert.equal(headers.get('x-ratelimit-remaining'), '2');
    });
  }

  test('a map does not reveal to one client what another has scraped', async () => {
    await using own = await startSite();
    const start = own.page('/', html('<a href="/linked">Linked</a>'));
    const secret = own.page('/secret', html('<h1>Between us</h1>'));
    assert.equal((await trawl.post('/v2/scrape', { url: secret }, from('198.51.100.77'))).status, 200);
    const { links } = await map(trawl, start, {}, from('198.51.100.78'));
    assert.deepEqual(
      links.map(({ url }) => url),
      [start, own.url('/linked')],
    );
  });

  test('the cache does not reveal to one client what another has scraped', async () => {
    await using own = await startSite();
    const secret = own.page('/secret', html('<h1>Between us</h1>'));
    for (const client of ['198.51.100.80', '198.51.100.81']) {
      const { status, body } = await trawl.post('/v2/scrape', { url: secret }, from(client));
      assert.deepEqual([status, body.data.metadata.cacheState], [200, 'miss'], client);
    }
    const before = own.requests.length;
    for (const [client, only, code] of [
      ['198.51.100.82', { lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
      ['198.51.100.80', { lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
      ['198.51.100.82', { minAge: 0 }, 'SCRAPE_NO_CACHED_DATA'],
    ] as const) {
      const { status, body } = await trawl.post('/v2/scrape', { url: secret, ...only }, from(client));
      assert.deepEqual([status, body.code], [404, code]);
    }
    assert.equal(own.requests.length, before, 'what is for the cache alone makes no connection');
  });

  test('a wrong or malformed key is still a 401', async () => {
    for (const authorization of [`Bearer fc-${'0'.repeat(32)}`, 'Basic abc', 'Bearer no key', 'Bearer null']) {
      assert.equal((await trawl.post('/v2/scrape', { url }, from('198.51.100.99', authorization))).status, 401);
    }
  });

  test('each client has its own daily allowance, and one request too many is a 429 until midnight UTC', async () => {
    for (let turn = 0; turn < 3; turn++) assert.equal((await ask(trawl, '203.0.113.1')).status, 404);
    for (let turn = 0; turn < 2; turn++) {
      const { status, headers, body } = await ask(trawl, '203.0.113.1');
      assert.deepEqual({ status, code: body.code }, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
      const untilMidnight = 86_400 - ((Date.now() / 1000) % 86_400);
      assert.ok(Math.abs(Number(headers.get('retry-after')) - untilMidnight) < 10);
      assert.match(
        body.error,
        /3 requests a day are allowed without a key\..*resets at \d{4}-\d\d-\d\dT00:00:00\.000Z/,
      );
    }
    assert.equal((await ask(trawl, '203.0.113.2')).status, 404);
  });

  test('on IPv6 a /64 network is one client', async () => {
    for (const host of ['1', 'ffff:2', '3']) assert.equal((await ask(trawl, `2001:db8:0:1::${host}`)).status, 404);
    assert.equal((await ask(trawl, '2001:db8:0:1:a:b:c:d')).status, 429);
    assert.equal((await ask(trawl, '2001:db8:0:2::1')).status, 404);
  });

  test('a client without a readable address is refused', async () => {
    const { status, body } = await ask(trawl, 'unknown');
    assert.equal(status, 403);
    assert.match(body.error, /Send a key/);
  });

  test('the allowance resets at midnight UTC', async () => {
    for (let turn = 0; turn < 4; turn++) await ask(trawl, '203.0.113.3');
    assert.equal((await ask(trawl, '203.0.113.3')).status, 429);
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const restore = useClock(() => midnight);
    try {
      assert.equal((await ask(trawl, '203.0.113.3')).status, 404);
    } finally {
      restore();
    }
  });

  test('only the client that requested a result can read it, and no client can read the lists of the team', async () => {
    const { body } = await trawl.post('/v2/scrape', { url }, from('203.0.113.4'));
    const result = `/v2/scrape/${body.data.metadata.scrapeId}`;
    assert.equal((await trawl.get(result, from('203.0.113.4'))).status, 200);
    assert.equal((await trawl.get(result, from('203.0.113.5'))).status, 404);
    for (const path of ['/v2/team/activity', '/v2/team/credit-usage', '/v1/team/queue-status']) {
      const refusal = await trawl.get(path, from('203.0.113.4'));
      assert.deepEqual([refusal.status, refusal.body.code], [403, 'FORBIDDEN'], path);
    }
  });

  test('no client can start a job, which would compete with the jobs of others', async () => {
    for (const [path, body] of [
      ['/v2/batch/scrape', { urls: [url] }],
      ['/v1/batch/scrape', { urls: [url] }],
      ['/v2/crawl', { url }],
      ['/v1/crawl', { url }],
    ] as const) {
      const { status, body: refusal } = await trawl.post(path, body, from('203.0.113.6'));
      assert.deepEqual([status, refusal.code], [403, 'FORBIDDEN'], path);
    }
  });

  test('the operator can switch it off by revoking the key of the team', async () => {
    await using own = await startTrawl({ TRAWL_KEYLESS_PER_DAY: '3' });
    assert.equal((await own.get(`/v2/scrape/${NO_ID}`, { key: null })).status, 404);
    const { code } = await runTrawl(['keys', 'revoke', '--team', 'keyless', 'keyless'], {
      TRAWL_DATA_DIR: own.dataDir,
    });
    assert.equal(code, 0);
    assert.equal((await own.get(`/v2/scrape/${NO_ID}`, { key: null })).status, 401);
  });
});

test('exceeding the per-minute limit of the plan "keyless" is a 429 that does not use up the daily allowance', async () => {
  await using trawl = await startTrawl({ ...BEHIND_PROXY, TRAWL_KEYLESS_PER_DAY: '12' });
  const post = () => trawl.post('/v2/scrape', { url }, from('203.0.113.1'));
  for (let turn = 0; turn < 10; turn++) assert.equal((await post()).status, 200);
  for (let turn = 0; turn < 5; turn++) assert.match((await post()).body.error, /10 scrape requests a minute/);
  assert.equal((await ask(trawl, '203.0.113.1')).headers.get('x-ratelimit-remaining'), '1');
  // Another client has its own per-minute limit.
  assert.equal((await trawl.post('/v2/scrape', { url }, from('203.0.113.2'))).status, 200);
});

test('the daily count survives a restart', async () => {
  await using folder = await temporaryFolder();
  const settings = { ...BEHIND_PROXY, TRAWL_KEYLESS_PER_DAY: '2', TRAWL_DATA_DIR: folder.path };
  for (const expected of [404, 404, 429]) {
    await using trawl = await startTrawl(settings);
    assert.equal((await ask(trawl, '203.0.113.1')).status, expected);
  }
});

test('processes on one PostgreSQL database share the count', { skip: (await missingPostgres()) ?? false }, async () => {
  await using database = await createDatabase();
  const settings = { ...BEHIND_PROXY, TRAWL_KEYLESS_PER_DAY: '9', DATABASE_URL: database.url };
  await using one = await startTrawl(settings);
  await using other = await startTrawl(settings);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => ask(index % 2 === 0 ? one : other, '203.0.113.1')),
  );
  assert.equal(answers.filter(({ status }) => status === 404).length, 9);
  assert.equal(answers.filter(({ status }) => status === 429).length, 21);
});

test('clients are distinguished by IPv4 address or by the first half of an IPv6 address', () => {
  assert.equal(clientOf('203.0.113.1'), '203.0.113.1');
  assert.equal(clientOf('::ffff:203.0.113.1'), '203.0.113.1');
  assert.equal(clientOf('2001:DB8::5'), '2001:db8:0:0::/64');
  assert.equal(clientOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  for (const none of ['', 'unknown', '1.2.3', '01.2.3.4', '1.2.3.4:80']) assert.equal(clientOf(none), undefined);
});
