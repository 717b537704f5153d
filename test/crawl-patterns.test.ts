import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CRAWL_DEFAULTS } from '../src/crawl/crawl-params.ts';
import { createScope } from '../src/site/scope.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const trawl = await shared(startTrawl());

/** The slowest list of patterns found within the limits: it takes 40 ms for a path of 240 characters. */
const SLOW_PATTERNS = Array(4).fill('(?i)((a{10}){9}){8}\\QaEb\\E+(?:.*a)\\S');
const LONG_PATH = `/${'a'.repeat(230)}`;

describe('patterns that are slow on every link', () => {
  test('fail the page at its time limit, and the service answers other requests between two links', async () => {
    await using site = await startSite();
    const links = Array.from({ length: 2_000 }, (_, n) => `<a href="${LONG_PATH}${n}">x</a>`);
    const url = site.page('/', html(links.join('')));
    const ofOneLink = await matchingTime(SLOW_PATTERNS, url + LONG_PATH);

    const body = { url, sitemap: 'skip', excludePaths: SLOW_PATTERNS, ignoreRobotsTxt: true };
    const id = await startCrawl(trawl, { ...body, scrapeOptions: { timeout: 2_000, maxAge: 0 } });
    let isOver = false;
    const ended = finishedCrawl(trawl, id, url).finally(() => {
      isOver = true;
    });
    let longest = 0;
    while (!isOver) {
      const busy = await busyDuring(async () => (await fetch(`${trawl.address}/health`)).text());
      longest = Math.max(longest, busy);
    }
    const { errors } = await ended;
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['SCRAPE_TIMEOUT'],
    );
    assert.ok(longest < 20 * ofOneLink, `/health waited for ${longest} ms of work; one link takes ${ofOneLink} ms`);
  });
});

/** CPU milliseconds for one address. */
async function matchingTime(excludePaths: string[], address: string): Promise<number> {
  const url = new URL(address);
  const scope = await createScope({ ...CRAWL_DEFAULTS, url, excludePaths, regexOnFullURL: false });
  return busyDuring(async () => scope.decide({ url, depth: 1 }));
}

/** CPU milliseconds that the serving thread spends until the work is done. */
async function busyDuring(work: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

describe('patterns that would take long to compile', () => {
  for (const [name, patterns] of Object.entries({
    'of Unicode classes': Array(100).fill(`(?i)${'\\pL'.repeat(300)}`),
    'of large ranges': [`(?i)[${'b-\uffff'.repeat(300)}]`],
    'that repeat 1,000 times': [`(?:${'a'.repeat(900)}){1000}`],
    'that are too many': Array(5_000).fill('a'),
  })) {
    test(`${name} are refused`, async () => {
      const { status, body } = await trawl.post('/v1/crawl', { url: 'http://127.0.0.1:1/', includePaths: patterns });
      assert.equal(status, 400);
      assert.match(body.error, /includePaths.*(too complex together|more than 1000 entries)/);
    });
  }
});
