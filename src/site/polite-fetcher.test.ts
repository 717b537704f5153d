import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as hostile from '../../test/support/hostile.ts';
import { shared } from '../../test/support/shared.ts';
import { type Handler, html, type Reply, startSite } from '../../test/support/site.ts';
import { now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { PaceUnknown, politeFetcher, ROBOTS_AGENT, RobotsBlocked } from './polite-fetcher.ts';
import { RobotsCache } from './robots-cache.ts';
import { createSiteFetcher } from './site-fetcher.ts';

const fetcher = createSiteFetcher({ allowNetworks: ['127.0.0.0/8'], maxBodyBytes: 1_000_000 });
await shared(Promise.resolve({ [Symbol.asyncDispose]: () => fetcher.close() }));

/** Fetches a page of a site with this robots.txt. */
async function fetchFrom(
  robots: string | Reply,
  path = '/page',
  {
    hostDelay = 0,
    robotsDelay = 0,
    asks = true,
    attempts = 0,
    answer = html('<h1>Page</h1>') as string | Reply | Handler,
  } = {},
) {
  await using site = await startSite();
  site.page('/robots.txt', robots);
  site.page('/page', answer);
  const polite = politeFetcher(fetcher, {
    robots: asks ? new RobotsCache(fetcher) : undefined,
    agent: ROBOTS_AGENT,
    page: { hostDelay, robotsDelay, attempts },
  });
  using deadline = new Deadline(10_000);
  const page = await polite.fetch({
    ...{
      url: site.url(path),
      headers: {},
      mobile: false,
      languages: [],
      verifyTls: true,
      proxy: 'basic',
      deadline,
      share: 'test',
    },
  });
  return { page, asked: site.requests.map((request) => request.path), learnedPace: polite.learnedPace };
}

const text = (body: string): Reply => ({ headers: { 'content-type': 'text/plain' }, body });

describe('the polite fetcher', () => {
  test('fetches what robots.txt allows', async () => {
    const { page, asked } = await fetchFrom(text('User-agent: *\nDisallow: /private'));
    assert.equal(page.status, 200);
    assert.deepEqual(asked, ['/robots.txt', '/page']);
  });

  test('prefers the rules for Trawl to those for all crawlers', async () => {
    await assert.rejects(fetchFrom(text('User-agent: *\nAllow: /\n\nUser-agent: trawl\nDisallow: /')), RobotsBlocked);
    await fetchFrom(text('User-agent: *\nDisallow: /\n\nUser-agent: Trawl\nAllow: /'));
  });

  test('does not request robots.txt if it is to be ignored', async () => {
    const { asked } = await fetchFrom(text('User-agent: *\nDisallow: /'), '/page', { asks: false });
    assert.deepEqual(asked, ['/page']);
  });

  test('fetches nothing if robots.txt fails, and says how to ignore it', async () => {
    await assert.rejects(fetchFrom({ status: 500 }), (error: unknown) => {
      assert.ok(error instanceof TrawlError && error.code === 'SCRAPE_ROBOTS_UNREACHABLE');
      assert.match(error.message, /the server responded with 500.*ignoreRobotsTxt/s);
      return true;
    });
  });

  test('reports a host that does not exist for the page, not for its robots.txt', async () => {
    const robots = new RobotsCache(fetcher);
    const polite = politeFetcher(fetcher, {
      robots,
      agent: ROBOTS_AGENT,
      page: { hostDelay: 0, robotsDelay: 0, attempts: 0 },
    });
    using deadline = new Deadline(10_000);
    const request = { url: 'http://nothing.invalid/', headers: {}, mobile: false, languages: [], verifyTls: true };
    await assert.rejects(
      polite.fetch({ ...request, proxy: 'basic', deadline, share: 'test' }),
      (error: unknown) => error instanceof TrawlError && error.code === 'SCRAPE_DNS_RESOLUTION_ERROR',
    );
  });

  test('reports an unknown pace, of at most half a minute, and fetches once it is known', async () => {
    const paced = (seconds: number) => text(`User-agent: *\nCrawl-delay: ${seconds}`);
    const isUnknown = (delay: number) => (error: unknown) => {
      assert.ok(error instanceof PaceUnknown);
      assert.deepEqual(error.pace, { agent: '*', delay });
      return true;
    };
    await assert.rejects(fetchFrom(paced(2)), isUnknown(2_000));
    await assert.rejects(fetchFrom(paced(600)), isUnknown(30_000));
    await assert.rejects(fetchFrom(paced(2), '/page', { hostDelay: 4_000 }), isUnknown(2_000));
    assert.equal((await fetchFrom(paced(2), '/page', { robotsDelay: 2_000 })).page.status, 200);
  });

  test('reports a pace in whole milliseconds, never shorter than the site wants', async () => {
    for (const [written, delay] of [
      ['0.3333', 334],
      ['2.01', 2_010],
      ['0.0001', 1],
      ['29.99999', 30_000],
    ] as const) {
      const robots = text(`User-agent: *\nCrawl-delay: ${written}`);
      await assert.rejects(
        fetchFrom(robots),
        (error) => error instanceof PaceUnknown && error.pace.delay === delay,
        written,
      );
    }
  });

  test('accepts server errors and truncated pages only at the last attempt', async () => {
    for (const answer of [{ status: 500 }, { status: 502 }, hostile.hangUpInBody]) {
      for (const attempts of [0, 1]) {
        await assert.rejects(fetchFrom(text(''), '/page', { answer, attempts }), (error: unknown) => {
          return error instanceof TrawlError && error.code === 'SCRAPE_CONNECTION_ERROR';
        });
      }
      const { page } = await fetchFrom(text(''), '/page', { answer, attempts: 2 });
      assert.ok(page.status >= 500 || page.incomplete);
    }
    assert.equal((await fetchFrom(text(''), '/page', { answer: { status: 404 } })).page.status, 404);
  });

  test('considers a host down that is busy even at the slowest pace, unless that is the pace of its robots.txt', async () => {
    const code = async (hostDelay: number, robotsDelay = 0) => {
      const robots = `User-agent: *\nCrawl-delay: ${robotsDelay / 1000}`;
      const asking = fetchFrom(text(robots), '/page', { hostDelay, robotsDelay, answer: { status: 429 } });
      const error: unknown = await asking.catch((reason: unknown) => reason);
      return error instanceof TrawlError && error.code;
    };
    assert.equal(await code(3_900), 'SCRAPE_HOST_BUSY');
    assert.equal(await code(4_000), 'SCRAPE_HOST_DOWN');
    assert.equal(await code(4_000, 10_000), 'SCRAPE_HOST_BUSY');
  });

  test('speeds up a little with each page of a host that was busy', async () => {
    const { learnedPace } = await fetchFrom(text(''), '/page', { hostDelay: 1_000 });
    assert.deepEqual(learnedPace, { type: 'bears', delay: 980 });
    assert.equal((await fetchFrom(text(''))).learnedPace, undefined);
  });

  test('learns that a site allows a quicker pace than before', async () => {
    const robots = text('User-agent: trawl\nCrawl-delay: 1');
    const { learnedPace } = await fetchFrom(robots, '/page', { robotsDelay: 10_000, hostDelay: 1_000 });
    assert.deepEqual(learnedPace, { type: 'robots', agent: 'trawl', delay: 1_000 });
    assert.equal((await fetchFrom(robots, '/page', { robotsDelay: 1_000 })).learnedPace, undefined);
  });

  for (const status of [429, 503]) {
    test(`takes a ${status} as a request for a pause`, async () => {
      await using site = await startSite();
      const answer = async (headers: Record<string, string>) => {
        const url = site.page('/busy', { status, headers });
        using deadline = new Deadline(10_000);
        const polite = politeFetcher(fetcher, {
          robots: undefined,
          agent: ROBOTS_AGENT,
          page: { hostDelay: 0, robotsDelay: 0, attempts: 0 },
        });
        const request = {
          url,
          headers: {},
          mobile: false,
          languages: [],
          verifyTls: true,
          proxy: 'basic' as const,
          deadline,
          share: 'test',
        };
        const error: unknown = await polite.fetch(request).catch((reason: unknown) => reason);
        assert.ok(error instanceof TrawlError && error.code === 'SCRAPE_HOST_BUSY');
        return error.headers['retry-after'];
      };
      assert.equal(await answer({}), undefined);
      assert.equal(await answer({ 'retry-after': '30' }), '30');
      assert.equal(await answer({ 'retry-after': 'soon' }), undefined);
      const inAMinute = new Date(now() + 60_000).toUTCString();
      const seconds = Number(await answer({ 'retry-after': inAMinute }));
      assert.ok(seconds > 55 && seconds <= 60, `${seconds}`);
    });
  }
});
