import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { runTrawl, startCommand } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { missingTerminal, Terminal } from './support/terminal.ts';
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
    const host = `127.0.0.1-${new URL(first).port}`;
    assert.deepEqual(files.sort(), [...[0, 1, 2, 3, 4].map((n) => `${host}_folder_${n}.md`), 'index.jsonl']);
    for (const file of files.slice(0, 5)) {
      const text = await readFile(join(folder.path, 'pages', file), 'utf8');
      assert.match(
        text,
        /^---\nurl: "http:.*\/folder\/\d"\ntitle: "A page"\nstatus: 200\ntime: ".*"\n---\n\n# Words of \/folder\/\d\n$/,
      );
    }
    assert.equal(stderr, `Wrote 5 pages to ${join(folder.path, 'pages')}/\n`);
  });

  test('the front matter is YAML, and the index lists every page and every failure', async () => {
    await using folder = await temporaryFolder();
    const output = join(folder.path, 'pages');
    const title = '- "No": \\ yes # {1}, \'two\'\u2028\u0085 & *three';
    const odd = site.page('/odd/guide.html?page=2', html('<h1>Odd</h1>', `<title>${title}</title>`));
    const lost = site.page('/lost', { status: 404, body: html('<h1>Lost</h1>', '<title>Lost</title>') });
    const broken = site.page('/broken', hostile.notHttp);
    const { code, stderr } = await runTrawl(['batch', odd, lost, broken, '-o', output], TEST_SETTINGS);
    assert.equal(code, 1);
    const host = `127.0.0.1-${new URL(odd).port}`;
    const [text, status] = [`${host}_odd_guide-page-2.md`, `${host}_lost.md`].map((file) => join(output, file));
    const [, head = ''] = /^---\n(.*?)\n---\n\n# Odd\n$/s.exec(await readFile(text ?? '', 'utf8')) ?? [];
    const { time, ...fields }: Record<string, unknown> = parse(head);
    assert.deepEqual(fields, { url: odd, title: title.replaceAll(/\s+/g, ' '), status: 200 });
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(await readFile(status ?? '', 'utf8'), /^status: 404$/m);

    const index = (await readFile(join(output, 'index.jsonl'), 'utf8')).trim().split('\n');
    const entries = index.map((line): Record<string, unknown> => JSON.parse(line));
    assert.deepEqual(entries.map(({ file, url, status }) => [file, url, status]).sort(), [
      [null, broken, undefined],
      [`${host}_lost.md`, lost, 404],
      [`${host}_odd_guide-page-2.md`, odd, 200],
    ]);
    assert.match(String(entries.at(-1)?.error), /not HTTP/);
    assert.equal(entries.at(-1)?.code, 'SCRAPE_BAD_RESPONSE');
    assert.equal(
      stderr.trim().split('\n').at(-1),
      `Wrote 2 pages to ${output}/ (1 with status 404, 1 failed: see ${join(output, 'index.jsonl')})`,
    );
  });

  test('--names order numbers the files in the order of the addresses, whichever page arrives first', async () => {
    await using folder = await temporaryFolder();
    const released = Promise.withResolvers<void>();
    const first = site.page('/order/first', async (_request, response) => {
      await released.promise;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>First</h1>'));
    });
    const second = site.page('/order/second', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Second</h1>'), () => released.resolve());
    });
    const { code, stderr } = await runTrawl(
      ['batch', first, second, first, '-o', folder.path, '--names', 'order'],
      TEST_SETTINGS,
    );
    assert.equal(code, 0, stderr);
    const host = `127.0.0.1-${new URL(first).port}`;
    assert.deepEqual((await readdir(folder.path)).sort(), [
      `00001-${host}_order_first.md`,
      `00002-${host}_order_second.md`,
      `00003-${host}_order_first.md`,
      'index.jsonl',
    ]);
  });

  test('refuses a folder that is not empty before fetching anything, unless --force is given', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    const [url = ''] = pagesAt('/kept', 1);
    const args = ['batch', url, '-o', folder.path];
    const refused = await runTrawl(args, TEST_SETTINGS);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is not empty: it holds a file\. Choose another folder, or add --force/);
    assert.equal(
      site.requests.some(({ path }) => path.startsWith('/kept')),
      false,
    );
    assert.deepEqual(await readdir(folder.path), ['notes.txt']);
    assert.equal((await runTrawl([...args, '--force'], TEST_SETTINGS)).code, 0);
    assert.equal((await readdir(folder.path)).length, 3);
    assert.equal(await readFile(join(folder.path, 'notes.txt'), 'utf8'), 'mine');
  });

  test('asks before writing to it on a terminal', { skip: missingTerminal }, async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    const [url = ''] = pagesAt('/asked', 1);
    for (const [answer, code, says] of [
      ['n', 1, /Nothing was written/],
      ['y', 0, /Wrote 1 page to /],
    ] as const) {
      await using terminal = new Terminal(['batch', url, '-o', folder.path], TEST_SETTINGS, folder.path);
      await terminal.line(/(it holds a file\. Write into it\? \[y\/N\])/);
      terminal.type(`${answer}\n`);
      assert.equal(await terminal.ended(), code, terminal.text);
      assert.match(terminal.text, says);
    }
  });

  test('scrapes a site even when a folder has the same name', async () => {
    await using folder = await temporaryFolder();
    const [url = ''] = pagesAt('/bare', 1);
    const bare = url.replace('http://', '');
    await mkdir(join(folder.path, bare), { recursive: true });
    const { code, stdout, stderr } = await runTrawl(['batch', bare], TEST_SETTINGS, folder.path);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Words of \/bare\/0/);
  });

  test('prints JSON lines, reports failures, and exits with 1', async () => {
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
    assert.match(stderr, new RegExp(`^${gone}: .*not HTTP.*\n3 pages \\(1 failed\\)\n$`));
  });

  test('Ctrl-C cancels: finished pages are written, and no new page starts', async () => {
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
    ['a file that is not there', ['nofile.txt'], /There is no file nofile\.txt\. If you mean an address, put https/],
    ['a file in a folder that is not there', ['./lists/example.com'], /There is no file \.\/lists\/example\.com/],
    ['a word', ['nowhere'], /There is no file nowhere/],
    ['a folder', ['src'], /src is a folder, not a file with addresses/],
    ['a list without an address', ['/dev/null'], /There is no address in \/dev\/null/],
    [
      'a way to name files that is none',
      ['https://example.com', '--names', 'size'],
      /not a valid value of --names. Use address or order/,
    ],
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
