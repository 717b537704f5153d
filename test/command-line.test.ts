import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AROUND, articlePage, IN_ARTICLE } from './support/article.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { runTrawl, runUnread } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSelfSignedSite, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', articlePage());
const ESCAPE = '\x1b';
/** A process spends most of its time starting, and these processes are independent. */
const TOGETHER = { concurrency: 2 };

/** Runs `trawl scrape` with loopback allowed. */
function scrape(...args: string[]) {
  return runTrawl(['scrape', ...args], { TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' });
}

describe('trawl scrape', () => {
  test('prints the Markdown of a page and nothing else, without colours or progress', async () => {
    const { code, stdout, stderr } = await scrape(url);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^# Life on the island\n/);
    assert.ok(stdout.includes(IN_ARTICLE));
    for (const words of AROUND) assert.ok(!stdout.includes(words), words);
    assert.ok(!stdout.includes(ESCAPE));
  });

  test('--format prints another format: text as text, a list as lines', async () => {
    const raw = await scrape(url, '--format', 'rawHtml');
    assert.equal(raw.stdout, `${articlePage()}\n`);
    const links = await scrape(url, '-f', 'links', '--full-page');
    assert.ok(links.stdout.split('\n').includes(site.url('/fares')));
  });

  test('several formats are printed as JSON', async () => {
    const { code, stdout } = await scrape(url, '--format', 'markdown,links', '--format', 'images');
    assert.equal(code, 0);
    const document: object = JSON.parse(stdout);
    assert.deepEqual(Object.keys(document).sort(), ['images', 'links', 'markdown']);
  });

  test('--json prints the whole answer with the metadata', async () => {
    const { stdout } = await scrape(url, '--json');
    const document: { markdown: string; metadata: Record<string, unknown> } = JSON.parse(stdout);
    assert.ok(document.markdown.includes(IN_ARTICLE));
    assert.equal(document.metadata.title, 'The island');
    assert.equal(document.metadata.sourceURL, url);
    assert.equal(document.metadata.statusCode, 200);
  });

  test('-o writes to a file and prints nothing', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'page.md');
    const { code, stdout, stderr } = await scrape(url, '-o', file);
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
    assert.match(readFileSync(file, 'utf8'), /^# Life on the island\n/);
  });

  test('takes the options of the API', async () => {
    const { code } = await scrape(
      url,
      '--mobile',
      '--language',
      'fr-CH',
      '-H',
      'X-Visitor: mail man',
      '--include',
      'article',
    );
    assert.equal(code, 0);
    const sent = site.requests.at(-1)?.headers;
    assert.equal(sent?.['x-visitor'], 'mail man');
    assert.match(sent?.['user-agent'] ?? '', /Mobile/);
    assert.match(sent?.['accept-language'] ?? '', /^fr-CH/);
  });

  test('prints the page when the site answered with an error, and notes that on standard error', async () => {
    const page = site.page('/lost', { status: 404, body: html('<h1>Lost at sea</h1>') });
    const { code, stdout, stderr } = await scrape(page);
    assert.equal(code, 0);
    assert.match(stdout, /Lost at sea/);
    assert.match(stderr, /404 Not Found/);
  });

  test('verifies certificates unless told not to', async () => {
    await using secure = await startSelfSignedSite();
    const page = secure.page('/', html('<h1>Signed by nobody</h1>'));
    const refused = await scrape(page);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /certificate/i);
    const accepted = await scrape(page, '--insecure');
    assert.equal(accepted.code, 0);
    assert.match(accepted.stdout, /Signed by nobody/);
  });

  test('writes screenshots as files, and takes actions', async () => {
    await using folder = await temporaryFolder();
    const picture = join(folder.path, 'page.png');
    const { code, stderr } = await scrape(url, '--format', 'screenshot', '-o', picture);
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(picture).toString('latin1', 1, 4), 'PNG');

    const action = JSON.stringify({
      type: 'executeJavascript',
      script: 'document.body.innerHTML = "<h1>Changed</h1>"',
    });
    const document = join(folder.path, 'page.json');
    const formats = ['--format', 'markdown,screenshot', '--json', '-o', document];
    const scraped = await scrape(url, ...formats, '--wait-for', '10', '--action', action);
    assert.equal(scraped.code, 0, scraped.stderr);
    const { markdown, screenshot } = JSON.parse(readFileSync(document, 'utf8'));
    assert.match(markdown, /Changed/);
    assert.equal(screenshot, join(folder.path, 'page-1.png'));
    assert.equal(readFileSync(screenshot).toString('latin1', 1, 4), 'PNG');
  });

  test('needs no data directory and leaves none behind', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const { code } = await runTrawl(['scrape', url], { TRAWL_ALLOW_NETWORKS: '127.0.0.0/8', TRAWL_DATA_DIR: dataDir });
    assert.equal(code, 0);
    assert.throws(() => readFileSync(dataDir), { code: 'ENOENT' });
  });
});

describe('a scrape that fails exits with 1, says why on standard error and prints nothing', TOGETHER, () => {
  for (const [name, args, says] of [
    ['a private address', ['http://10.0.0.1/'], /private/],
    ['a host that does not exist', ['http://nothing.invalid/'], /nothing\.invalid/],
    ['a site that never answers', [site.page('/silence', hostile.silence), '--timeout', '1000'], /1000 ms/],
    ['a file that cannot be written', [url, '-o', '/nowhere/page.md'], /\/nowhere\/page\.md/],
  ] as const) {
    test(name, async () => {
      const { code, stdout, stderr } = await scrape(...args);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
      assert.ok(!stderr.includes(ESCAPE));
    });
  }
});

describe('an invalid command exits with 2 and says what to change', TOGETHER, () => {
  for (const [args, says] of [
    [[], /Usage: trawl/],
    [['scrap', url], /unknown command 'scrap'/],
    [['scrape'], /missing required argument 'url'/],
    [['scrape', url, '--colour'], /unknown option '--colour'/],
    [['scrape', 'ftp://example.com/'], /Only http and https/],
    [['scrape', 'nothing here'], /not a valid address/],
    [['scrape', url, '--format', 'pdf'], /"pdf" is not a format/],
    [['scrape', url, '--format', 'summary'], /"summary" needs a language model/],
    [['scrape', url, '--include', 'div['], /includeTags/],
    [['scrape', url, '--action', 'click'], /is not an action. Write it as JSON/],
    [['scrape', url, '--action', '{"type":"hover"}'], /"hover" is not an action/],
    [['scrape', url, '--header', 'no colon'], /is not a header/],
    [['scrape', url, '--timeout', 'soon'], /timeout/],
    [['keys', 'revoke'], /missing required argument 'key'/],
  ] as const) {
    test(`trawl ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await trawlWithLoopback(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }

  test('an invalid setting', async () => {
    const { code, stderr } = await runTrawl(['serve'], { PORT: 'first', TRAWL_CACHE_MB: '-1' });
    assert.equal(code, 2);
    assert.match(stderr, /PORT must be a whole number/);
    assert.match(stderr, /TRAWL_CACHE_MB must be at least 0/);
  });
});

describe('help', TOGETHER, () => {
  for (const args of [
    ['--help'],
    ['scrape', '--help'],
    ['serve', '--help'],
    ['keys', '--help'],
    ['keys', 'create', '--help'],
  ]) {
    test(`trawl ${args.join(' ')} is printed to standard output`, async () => {
      const { code, stdout, stderr } = await runTrawl(args);
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: trawl/);
      assert.equal(stderr, '');
    });
  }

  test('does not complain when its reader closes the pipe early', async () => {
    assert.deepEqual(await runUnread(['--help']), { code: 0, stdout: '', stderr: '' });
  });

  test('--version prints the version', async () => {
    const { stdout } = await runTrawl(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

describe('trawl keys, while a service runs on the same data directory', () => {
  test('create prints a working key, list shows it without revealing it, revoke disables it', async () => {
    await using trawl = await startTrawl();
    const keys = (...args: string[]) => runTrawl(['keys', ...args], { TRAWL_DATA_DIR: trawl.dataDir });

    const created = await keys('create', 'laptop');
    assert.equal(created.code, 0);
    assert.equal(created.stderr, `Using the SQLite database ${join(trawl.dataDir, 'trawl.db')}\n`);
    const key = created.stdout.trim();
    assert.match(key, /^fc-[0-9a-f]{32}$/);
    await trawl.scrape(url, {}, { key });

    const listed = await keys('list');
    assert.equal(listed.code, 0);
    const line = listed.stdout.split('\n').find((one) => one.endsWith('laptop')) ?? '';
    assert.match(line, /active/);
    assert.ok(!listed.stdout.includes(key));

    const [id = ''] = line.split(' ');
    const revoked = await keys('revoke', id);
    assert.equal(revoked.code, 0);
    const { status } = await trawl.refusal({ url }, { key });
    assert.equal(status, 401);
    assert.match((await keys('list')).stdout, /revoked .*laptop/);
  });

  test('revoke also accepts the key itself', async () => {
    await using trawl = await startTrawl();
    const settings = { TRAWL_DATA_DIR: trawl.dataDir };
    const key = (await runTrawl(['keys', 'create'], settings)).stdout.trim();
    assert.equal((await runTrawl(['keys', 'revoke', key], settings)).code, 0);
    assert.equal((await trawl.refusal({ url }, { key })).status, 401);
  });

  test('revoking a key that does not exist exits with 1', async () => {
    await using trawl = await startTrawl();
    const { code, stderr } = await runTrawl(['keys', 'revoke', 'nobody'], { TRAWL_DATA_DIR: trawl.dataDir });
    assert.equal(code, 1);
    assert.match(stderr, /No key has this id or name/);
  });
});

function trawlWithLoopback(args: readonly string[]) {
  return runTrawl([...args], { TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' });
}
