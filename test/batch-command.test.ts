import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { runTrawl, startCommand } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { TEST_SETTINGS } from './support/trawl.ts';

const site = await shared(startSite());
const pagesAt = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    site.page(`${path}/${index}`, html(`<h1>Words of ${path}/${index}</h1>`)),
  );

describe('trawl batch', () => {
  test('writes a file for each page of a list into a folder', async () => {
    await using folder = await temporaryFolder();
    const [first = '', ...others] = pagesAt('/folder', 5);
    const list = join(folder.path, 'addresses.txt');
    await writeFile(list, `# what to scrape\n${others.join('\r\n')}\n\n`);
    const { code, stderr } = await runTrawl(['batch', first, list, '-o', join(folder.path, 'pages')], TEST_SETTINGS);
    assert.equal(code, 0, stderr);
    const files = await readdir(join(folder.path, 'pages'));
    assert.equal(files.length, 5);
    for (const file of files) {
      assert.match(file, /^0000\d-127\.0\.0\.1-\d+-folder-\d\.md$/);
      assert.match(await readFile(join(folder.path, 'pages', file), 'utf8'), /^# Words of \/folder\/\d\n$/);
    }
  });

  test('prints JSON lines, says what failed, and then ends with 1', async () => {
    const gone = site.page('/gone', hostile.notHttp);
    const { code, stdout, stderr } = await runTrawl(
      ['batch', ...pagesAt('/lines', 3), gone, '--format', 'links'],
      TEST_SETTINGS,
    );
    assert.equal(code, 1);
    const documents = stdout
      .trim()
      .split('\n')
      .map((line): { metadata: { creditsUsed: number } } => JSON.parse(line));
    assert.equal(documents.length, 3);
    assert.match(stderr, new RegExp(`^${gone}: .*not HTTP`, 'm'));
  });

  test('Ctrl-C cancels: what is done is written, and no page is begun any more', async () => {
    await using folder = await temporaryFolder();
    const output = join(folder.path, 'pages.jsonl');
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const held = site.page('/held', async (_request, response) => {
      reached.resolve();
      await released.promise;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>At last</h1>'));
    });
    const urls = [...pagesAt('/before', 1), held, ...pagesAt('/after', 20)];
    await using command = await startCommand(['batch', ...urls, '--concurrency', '1', '-o', output], TEST_SETTINGS);
    await reached.promise;
    const ended = command.stop('SIGINT');
    released.resolve();
    assert.equal(await ended, 1);
    const lines = (await readFile(output, 'utf8')).trim().split('\n');
    assert.ok(lines.length >= 2 && lines.length <= 4, `${lines.length} pages`);
    assert.ok(site.requests.filter(({ path }) => path.startsWith('/after')).length <= 2);
  });

  for (const [what, args, says] of [
    ['a file that is not there', ['nowhere'], /nowhere/],
    ['an address that is none', ['file:///etc/passwd'], /Only http and https/],
    ['a concurrency that is none', ['https://example.com', '--concurrency', 'many'], /"many"/],
    ['a format that is none', ['https://example.com', '--format', 'pdf'], /"pdf" is not a format/],
    ['nothing', [], /missing required argument/],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const { code, stderr } = await runTrawl(['batch', ...args], TEST_SETTINGS);
      assert.equal(code, 2);
      assert.match(stderr, says);
    });
  }
});

describe('trawl api and trawl worker', () => {
  for (const command of ['api', 'worker']) {
    test(`${command} says that it needs PostgreSQL`, async () => {
      const { code, stderr } = await runTrawl([command], TEST_SETTINGS);
      assert.equal(code, 2);
      assert.match(stderr, /DATABASE_URL is not set/);
    });
  }
});
