import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { linking, robotsTxt, siteOf } from './support/crawl-site.ts';
import { temporaryFolder } from './support/folder.ts';
import { runTrawl, startCommand } from './support/process.ts';
import { TEST_SETTINGS } from './support/trawl.ts';

const PAGES = { '/': ['/a', '/b', '/private'], '/a': ['/a/deep'], '/a/deep': [], '/b': [], '/private': [] };

describe('trawl crawl', () => {
  test('writes a file for each page into a folder, and reports what robots.txt disallowed', async () => {
    await using site = await siteOf(PAGES);
    site.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private'));
    await using folder = await temporaryFolder();
    const output = join(folder.path, 'site');
    const { code, stderr } = await runTrawl(['crawl', site.start, '--full-page', '-o', output], TEST_SETTINGS);
    assert.equal(code, 0, stderr);
    const files = await readdir(output);
    const host = `127.0.0.1-${new URL(site.start).port}`;
    const names = [host, `${host}_a`, `${host}_a_deep`, `${host}_b`].map((name) => `${name}.md`);
    assert.deepEqual(files.sort(), [...names, 'index.jsonl']);
    for (const name of names) assert.match(await readFile(join(output, name), 'utf8'), /^title: "\/.*\n\n# Page \//ms);
    assert.equal(
      stderr,
      `${site.url('/private')}: robots.txt forbids it\n` +
        `Wrote 4 pages to ${output}/ (1 forbidden by robots.txt: see ${join(output, 'index.jsonl')})\n`,
    );
  });

  test('writes one Markdown file, within the given limits', async () => {
    await using site = await siteOf(PAGES);
    await using folder = await temporaryFolder();
    const output = join(folder.path, 'site.md');
    const flags = ['--depth', '1', '--exclude-path', '^/b', '--limit', '10', '--full-page'];
    const { code, stderr } = await runTrawl(['crawl', site.start, '-o', output, ...flags], TEST_SETTINGS);
    assert.equal(code, 0, stderr);
    const text = await readFile(output, 'utf8');
    const pages = [...text.matchAll(/^<!-- (.*) -->$/gm)].map(([, url]) => url);
    assert.deepEqual(pages.sort(), ['/', '/a', '/private'].map(site.url).sort());
    for (const path of ['/', '/a', '/private']) assert.ok(text.includes(`Words of ${path}.`));
  });

  test('Ctrl-C cancels: finished pages are written, and no new page starts', async () => {
    await using site = await siteOf({ '/': ['/held', '/next'], '/next': [] });
    await using folder = await temporaryFolder();
    const output = join(folder.path, 'pages.jsonl');
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    site.page('/held', async (_request, response) => {
      reached.resolve();
      await released.promise;
      response.writeHead(200, { 'content-type': 'text/html' }).end(linking('/held', ['/after']));
    });
    const args = ['crawl', site.start, '--concurrency', '1', '--sitemap', 'skip', '-o', output];
    await using command = await startCommand(args, TEST_SETTINGS);
    await reached.promise;
    const ended = command.stop('SIGINT');
    released.resolve();
    assert.equal(await ended, 1);
    const lines = (await readFile(output, 'utf8')).trim().split('\n');
    assert.ok(lines.length >= 1 && lines.length <= 3, `${lines.length} pages`);
    assert.equal(
      site.requests.some(({ path }) => path === '/after'),
      false,
    );
  });

  test('exits with 1 when there is nothing to show, and says why', async () => {
    const { code, stderr } = await runTrawl(['crawl', 'http://no-such-host.invalid/'], TEST_SETTINGS);
    assert.equal(code, 1);
    assert.match(stderr, /no-such-host\.invalid does not exist/);
  });

  test('says what is wrong with its options', async () => {
    for (const [args, told] of [
      [['ftp://example.com'], /url: Only http/],
      [['https://example.com', '--limit', 'many'], /limit/],
      [['https://example.com', '--include-path', '('], /"\(" in "includePaths" is not a valid regular expression/],
    ] as const) {
      const { code, stderr } = await runTrawl(['crawl', ...args], TEST_SETTINGS);
      assert.equal(code, 2, stderr);
      assert.match(stderr, told);
    }
  });
});
