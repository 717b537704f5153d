import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SiteMap } from '../src/map/map-site.ts';
import { robotsTxt, sitemap, sitemapIndex, siteOf } from './support/crawl-site.ts';
import { runTrawl, startCommand } from './support/process.ts';
import { shared } from './support/shared.ts';
import { TEST_SETTINGS } from './support/trawl.ts';

const site = await shared(siteOf({ '/': ['/linked'] }));
site.page('/sitemap.xml', sitemap([site.url('/a'), site.url('/prices')]));

const map = (...args: string[]) => runTrawl(['map', ...args], TEST_SETTINGS);

describe('trawl map', { concurrency: 2 }, () => {
  test('prints one address per line and nothing else', async () => {
    const { code, stdout, stderr } = await map(site.start);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, ['/', '/a', '/prices', '/linked'].map((path) => `${site.url(path)}\n`).join(''));
  });

  test('--search puts matches first, --limit sets how many', async () => {
    const { stdout } = await map(site.start, '--search', 'prices', '--limit', '1');
    assert.equal(stdout, `${site.url('/prices')}\n`);
  });

  test('--json prints the complete answer with titles', async () => {
    const { stdout } = await map(site.start, '--json');
    const { links }: SiteMap = JSON.parse(stdout);
    assert.deepEqual(links.at(-1), { url: site.url('/linked'), title: 'To /linked' });
  });

  test('reports what is missing on standard error', async () => {
    await using other = await siteOf({ '/': [] });
    other.page('/robots.txt', robotsTxt('Sitemap: /gone.xml'));
    const { code, stdout, stderr } = await map(other.start);
    assert.deepEqual([code, stdout], [0, `${other.start}\n`]);
    assert.match(stderr, /^note: .*\/gone\.xml responded with 404\.\n$/);
  });

  test('Ctrl-C ends it and prints what was found so far', async () => {
    await using slow = await siteOf({ '/': ['/linked'] });
    slow.page('/robots.txt', robotsTxt(...[1, 2, 3, 4, 5].map((number) => `Sitemap: /${number}.xml`)));
    slow.page('/1.xml', sitemap([slow.url('/a')]));
    for (const number of [2, 3, 4]) slow.page(`/${number}.xml`, () => {});
    const reached = Promise.withResolvers<void>();
    // Four are fetched at a time. The fifth is requested when the first has been read.
    slow.page('/5.xml', () => reached.resolve());
    await using command = await startCommand(['map', slow.start], TEST_SETTINGS);
    await reached.promise;
    assert.equal(await command.stop('SIGINT'), 1);
    assert.equal(command.stdout(), ['/', '/a', '/linked'].map((path) => `${slow.url(path)}\n`).join(''));
    assert.equal(command.stderr(), 'note: The map was stopped before everything was read.\n');
  });

  test('Ctrl-C before anything is found says so', async () => {
    await using slow = await siteOf({});
    const reached = Promise.withResolvers<void>();
    slow.page('/', () => reached.resolve());
    await using command = await startCommand(['map', slow.url('/')], TEST_SETTINGS);
    await reached.promise;
    assert.equal(await command.stop('SIGINT'), 1);
    assert.equal(command.stdout(), '');
    assert.match(command.stderr(), /^error Stopped before anything was found\.\n$/);
  });

  test('exits cleanly when its reader closes the pipe', async () => {
    const paths = Array.from({ length: 20_000 }, (_, index) => `/a-page-with-a-name-of-usual-length/${index}`);
    await using large = await siteOf({ '/': [] });
    large.page('/sitemap.xml', sitemap(paths.map(large.url)));
    await using command = await startCommand(['map', large.start, '--limit', '20000'], TEST_SETTINGS);
    command.stopReading();
    assert.deepEqual([await command.ended(), command.stderr()], [0, '']);
  });

  test('an endless site takes little memory, up to the limit of a map', async () => {
    await using endless = await siteOf({ '/': [] });
    const files = Array.from({ length: 30 }, (_, index) => endless.url(`/${index}.xml`));
    endless.page('/sitemap.xml', sitemapIndex(files));
    for (const file of files) {
      const paths = Array.from({ length: 5_000 }, (_, index) => `${file}/a-page-with-a-name-of-usual-length/${index}`);
      endless.page(new URL(file).pathname, sitemap(paths, { packed: true }));
    }
    const args = ['map', endless.start, '--search', 'nothing usual 4999', '--limit', '100000'];
    // The limit for the JavaScript heap. 80 would be enough, with most of the time spent on garbage collection.
    const { code, stdout, stderr } = await runTrawl(args, {
      ...TEST_SETTINGS,
      NODE_OPTIONS: '--max-old-space-size=256',
    });
    assert.equal(code, 0, stderr);
    assert.equal(stdout.split('\n').length - 1, 100_000);
    assert.match(stderr, /looked through the first 100000 addresses/);
    // It stopped reading where it had enough.
    assert.ok(endless.requests.length < 30, `${endless.requests.length} requests`);
  });

  for (const [args, code, told] of [
    [['http://no-such-host.invalid/'], 1, /no-such-host\.invalid/],
    [['http://10.0.0.1/'], 1, /private/],
    [['ftp://example.com'], 2, /url: Only http/],
    [['https://example.com', '--limit', 'many'], 2, /limit/],
    [['https://example.com', '--limit', '100001'], 2, /limit/],
    [[], 2, /missing required argument 'url'/],
  ] as const) {
    test(`trawl map ${args.join(' ')} exits with ${code} and says why`, async () => {
      const ended = await map(...args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr);
      assert.match(ended.stderr, told);
      assert.doesNotMatch(ended.stderr, /\n\s+at /);
    });
  }
});
