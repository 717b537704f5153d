import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { batchErrors, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { linking, pagesAsked, robotsTxt, sitemap, siteOf } from './support/crawl-site.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { startProcess } from './support/process.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { type Handler, html, type Reply, replyWith, type Site, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { unusedPort } from './support/unused-port.ts';

/**
 * Misbehaving sites cannot harm a job: pages that can be fetched are delivered, the others are named, and the job ends.
 */

const FULL = process.env.TRAWL_TEST_FULL === '1';
const FULL_ONLY = 'it takes 20 s: TRAWL_TEST_FULL=1 runs it';

/** The outcome of a fault: a document with these words, or an entry in the error report. */
type Told = { words: RegExp; status?: number; isCut?: boolean } | { code: string; error: RegExp };

const reset = { code: 'SCRAPE_CONNECTION_ERROR', error: /^No response from 127\S+: it closed the connection without/ };
const late = { code: 'SCRAPE_TIMEOUT', error: /not be delivered within 2000 ms\. Raise "timeout"/ };
const tooLarge = { code: 'SCRAPE_PAGE_TOO_LARGE', error: /larger than 1 MB.*TRAWL_MAX_PAGE_MB/ };
const firstWords = { words: /The first words/ };
const cut = { ...firstWords, isCut: true };

type Faults = Record<string, [handler: Handler, told: Told]>;

/** These use their whole time limit. */
const SILENT: Faults = {
  'never-answers': [hostile.silence, late],
  'stops-after-its-headers': [hostile.stallInBody, late],
  drips: [hostile.drip, late],
};

/** These end quickly. They are created for each site, because some have state. */
const soonOver = (): Faults => ({
  'resets-the-connection': [hostile.hangUp, reset],
  'resets-it-in-the-body': [hostile.hangUpInBody, cut],
  'is-shorter-than-it-says': [hostile.shortOfItsLength, cut],
  'is-longer-than-it-says': [hostile.longerThanItsLength, { words: /The first/ }],
  'is-cut-in-a-chunk': [hostile.cutChunks, cut],
  'is-cut-in-its-gzip': [hostile.cutGzip, cut],
  'is-not-packed': [hostile.notPacked, firstWords],
  'is-packed-otherwise': [hostile.packedOtherwise, { code: 'SCRAPE_BAD_RESPONSE', error: /br data is damaged/ }],
  'has-no-end': [hostile.endlessBody, tooLarge],
  'has-headers-without-end': [hostile.endlessHeaders, { code: 'SCRAPE_BAD_RESPONSE', error: /headers are over 64 KB/ }],
  'is-a-bomb': [hostile.bomb, { code: 'SCRAPE_PAGE_TOO_LARGE', error: /decompresses to more than 1 MB/ }],
  'leads-to-itself': [hostile.circle, { code: 'SCRAPE_TOO_MANY_REDIRECTS', error: /redirects more than 10 times/ }],
  'leads-on-for-ever': [
    hostile.endlessRedirects,
    { code: 'SCRAPE_TOO_MANY_REDIRECTS', error: /step=\d+ → .*step=\d+/ },
  ],
  'speaks-no-http': [hostile.notHttp, { code: 'SCRAPE_BAD_RESPONSE', error: /it is not HTTP/ }],
  'always-fails': [failing(Number.POSITIVE_INFINITY), { words: /Broken/, status: 500 }],
  recovers: [failing(2), { words: /Mended at visit 3/, status: 200 }],
});

/** Answers with a 500 this many times, and then with a page. */
function failing(times: number): Handler {
  let visits = 0;
  return (_request, response) => {
    visits += 1;
    const isBroken = visits <= times;
    response
      .writeHead(isBroken ? 500 : 200, { 'content-type': 'text/html' })
      .end(html(isBroken ? '<h1>Broken</h1>' : `<h1>Mended at visit ${visits}</h1>`));
  };
}

/** A site with one page per fault and some good ones, and the expected outcome of each address. */
async function faultySite(faults: Faults, elsewhere: Readonly<Record<string, Told>> = {}) {
  const site = await startSite();
  const told = new Map(Object.entries(elsewhere));
  for (const [path, [handler, what]] of Object.entries(faults)) told.set(site.page(`/${path}`, handler), what);
  for (let index = 0; index < 20; index++) {
    const words = `Words of page ${index}.`;
    told.set(site.page(`/good/${index}`, html(`<h1>Good</h1><p>${words}</p>`)), { words: new RegExp(words) });
  }
  return Object.assign(site, { told, start: site.page('/', linking('/', [...told.keys()])) });
}

/** Two jobs on one busy host slow each other down. */
const BUSY = [await shared(startSite()), await shared(startSite())];
const closed = await unusedPort();
const hosts = (): Readonly<Record<string, Told>> => ({
  'http://nothing.invalid/page': { code: 'SCRAPE_DNS_RESOLUTION_ERROR', error: /nothing\.invalid does not exist/ },
  [`http://127.0.0.1:${closed}/page`]: {
    code: 'SCRAPE_CONNECTION_ERROR',
    error: /it refuses connections on this port/,
  },
  [BUSY.pop()?.page('/page', { status: 503, headers: { 'retry-after': '1' } }) ?? '']: {
    code: 'SCRAPE_HOST_BUSY',
    error: /responded with 503: it accepts no more requests for now/,
  },
});

interface Outcome {
  data: { markdown?: string; warning?: string; metadata: { sourceURL: string; statusCode: number } }[];
  errors: { url: string; code: string; error: string }[];
}

/** Every address has its expected outcome once, and there are no others. */
function assertTold(told: ReadonlyMap<string, Told>, { data, errors }: Outcome): void {
  assert.deepEqual(
    [...data.map(({ metadata }) => metadata.sourceURL), ...errors.map(({ url }) => url)].sort(),
    [...told.keys()].sort(),
  );
  for (const { markdown, warning, metadata } of data) {
    const what = told.get(metadata.sourceURL);
    assert.ok(what !== undefined && 'words' in what, `${metadata.sourceURL} gave a result`);
    assert.match(markdown ?? '', what.words, metadata.sourceURL);
    assert.equal(metadata.statusCode, what.status ?? 200);
    assert.equal(/its end is missing/.test(warning ?? ''), what.isCut ?? false, metadata.sourceURL);
  }
  for (const { url, code, error } of errors) {
    const what = told.get(url);
    assert.ok(what !== undefined && 'code' in what, `${url} failed: ${error}`);
    assert.equal(code, what.code, error);
    assert.match(error, what.error);
  }
}

const [SQLITE] = STORE_KINDS;
assert.ok(SQLITE !== undefined);
const trawl = await shared(startTrawlOn(SQLITE.create(), { TRAWL_MAX_PAGE_MB: '1' }));

// Most of the time is spent waiting for the next attempt.
describe('faulty sites', { concurrency: true }, () => {
  for (const [what, timeout, site] of [
    ['fail', 60_000, () => faultySite(soonOver(), hosts())],
    ['are silent', 2_000, () => faultySite(SILENT)],
  ] as const) {
    test(`that ${what} end a batch with the pages that could be fetched and each fault named; only those pages are charged`, async () => {
      await using faulty = await site();
      const options = { maxAge: 0, timeout, onlyMainContent: false, ignoreRobotsTxt: true };
      const { id } = await startBatch(trawl, { urls: [...faulty.told.keys()], ...options });
      const done = await finishedBatch(trawl, id);
      assert.deepEqual([done.status, done.total], ['completed', faulty.told.size]);
      assertTold(faulty.told, { data: done.data, ...(await batchErrors(trawl, id)) });
      await assertCharged(id, done.data.length);
      assert.equal(done.creditsUsed, done.data.length);
    });

    // Each attempt at a silent page uses its whole time limit.
    test(`that ${what} end a crawl the same way`, {
      skip: what === 'are silent' && !FULL && FULL_ONLY,
    }, async () => {
      await using faulty = await site();
      const options = { sitemap: 'skip', ignoreRobotsTxt: true, allowExternalLinks: true };
      const done = await crawl(trawl, faulty.start, { ...options, scrapeOptions: { timeout } });
      assert.equal(done.status, 'completed');
      faulty.told.set(faulty.start, { words: /Words of \// });
      assertTold(faulty.told, done);
      await assertCharged(done.id, done.data.length);
    });
  }

  test('that fail briefly in robots.txt, a sitemap and a page still give a complete crawl', async () => {
    await using site = await siteOf({ '/': ['/linked'], '/linked': [], '/listed': [] });
    once(site, '/robots.txt', hostile.hangUpInBody, robotsTxt('User-agent: *', 'Disallow: /none'));
    once(site, '/sitemap.xml', { status: 502 }, sitemap([site.url('/listed')]));
    once(site, '/linked', hostile.hangUpInBody, linking('/linked', []));
    const done = await crawl(trawl, site.start);
    assert.deepEqual([done.paths, done.errors], [['/', '/linked', '/listed'], []]);
    assert.ok(done.data.every(({ warning }) => warning === undefined));
    assert.equal(done.creditsUsed, 3);
  });

  test('that allow only some pages a second return all of them and delay no other site', async () => {
    const PAGES = 40;
    await using slow = await startSite();
    await using quick = await startSite();
    const limit = new RequestsASecond(6);
    const urls = Array.from({ length: PAGES }, (_, index) => slow.page(`/${index}`, limit.handler));
    const times: number[] = [];
    const others = Array.from({ length: 100 }, (_, index) =>
      quick.page(`/${index}`, (_request, response) => {
        times.push(performance.now());
        response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<p>Page ${index}`));
      }),
    );
    const options = { maxAge: 0, ignoreRobotsTxt: true };
    const { id } = await startBatch(trawl, { urls: [...urls, ...others], ...options });
    const done = await finishedBatch(trawl, id);
    assert.deepEqual(await batchErrors(trawl, id), { errors: [], robotsBlocked: [] });
    assert.deepEqual([done.status, done.completed, done.creditsUsed], ['completed', 140, 140]);
    assert.ok(limit.refused > 0 && limit.refused < PAGES / 2, `${limit.refused} requests were too many`);
    const resting = times.filter((time) => time > limit.refusedAt && time < limit.refusedAt + 1000);
    assert.ok(resting.length > 0, 'the other host was not asked while this one was left alone');
  });

  test('whose robots.txt always fails are not fetched, and the report says why', async () => {
    await using site = await siteOf({ '/': [] });
    site.page('/robots.txt', { status: 500 });
    const done = await crawl(trawl, site.start, { sitemap: 'skip' });
    assert.deepEqual([done.status, done.paths, pagesAsked(site)], ['completed', [], []]);
    assert.deepEqual(
      done.errors.map(({ code, url }) => [code, url]),
      [['SCRAPE_ROBOTS_UNREACHABLE', site.start]],
    );
    assert.match(
      done.errors[0]?.error ?? '',
      /robots\.txt could not be read: the server responded with 500\..*ignoreRobotsTxt/,
    );
    assert.equal((await crawl(trawl, site.start, { sitemap: 'skip', ignoreRobotsTxt: true })).completed, 1);
  });
});

test('many endless pages take no more memory than a few', {
  skip: process.platform === 'linux' ? false : 'the most memory that a process had is told by Linux alone',
}, async () => {
  await using folder = await temporaryFolder();
  await using endless = await startSite();
  await using own = await startProcess({ TRAWL_DATA_DIR: folder.path });
  const urls = Array.from({ length: FULL ? 200 : 12 }, (_, index) => endless.page(`/${index}`, hostile.endlessBody));
  const good = endless.page('/good', html('<h1>Good</h1>'));
  const { id } = await startBatch(own, { urls: [...urls, good], maxAge: 0, ignoreRobotsTxt: true });
  const done = await finishedBatch(own, id);
  assert.deepEqual([done.status, done.data.length, done.creditsUsed], ['completed', 1, 1]);
  const { errors } = await batchErrors(own, id);
  assert.deepEqual([...new Set(errors.map(({ code }) => code))], ['SCRAPE_PAGE_TOO_LARGE']);
  assert.equal(errors.length, urls.length);
  // 256 MB for large bodies on top of what the service itself uses. Without that limit 12 pages took 790 MB.
  const most = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${own.pid}/status`, 'utf8'))?.[1]) / 1024;
  assert.ok(most < 640, `${most} MB`);
});

/** The first request for a path gets a different answer from all later ones. */
function once(site: Site, path: string, first: Reply | Handler, then: string | Reply): void {
  const [one, other] = [replyWith(first), replyWith(then)];
  let visits = 0;
  site.page(path, (request, response) => (visits++ === 0 ? one : other)(request, response));
}

/** Answers this many requests per second, and the others with a 429. */
class RequestsASecond {
  refused = 0;
  /** The time of the first refusal. */
  refusedAt = 0;
  readonly #most: number;
  readonly #times: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  readonly handler: Handler = (request, response) => {
    const now = performance.now();
    while ((this.#times[0] ?? now) < now - 1000) this.#times.shift();
    if (this.#times.length >= this.#most) {
      if (this.refused === 0) this.refusedAt = now;
      this.refused += 1;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    }
    this.#times.push(now);
    response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<h1>Page ${request.url}</h1>`));
  };
}

async function assertCharged(id: string, pages: number): Promise<void> {
  const [row] = await rowsIn(
    trawl.options,
    `select cast(count(*) as text) as pages, cast(sum(credits) as text) as credits from charges where job_id = '${id}'`,
  );
  assert.deepEqual([row?.pages, row?.credits], [String(pages), String(pages)]);
}
