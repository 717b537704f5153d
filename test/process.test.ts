import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { temporaryFolder } from './support/folder.ts';
import { heldPage } from './support/held-page.ts';
import { runTrawl, startCommand, startProcess } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', html('<h1>Here</h1>'));
const KEYS = /\bfc-[0-9a-f]{32}\b/g;
const PRINTED_KEY = /Your API key, shown this once: (fc-[0-9a-f]{32})/;

describe('the first start', () => {
  test('prints a working key; a second start prints none, and the key still works', async () => {
    await using folder = await temporaryFolder();
    const settings = { TRAWL_DATA_DIR: folder.path, TRAWL_API_KEY: '' };
    let key = '';
    {
      await using first = await startProcess(settings);
      key = await first.line(PRINTED_KEY);
      await first.scrape(url, {}, { key });
      assert.equal(await first.stop(), 0);
      assert.equal(first.stdout.match(KEYS)?.length, 1, 'it is printed once');
      assert.doesNotMatch(first.stderr, KEYS);
    }
    await using second = await startProcess(settings);
    await second.scrape(url, {}, { key });
    await second.stop();
    assert.doesNotMatch(second.stdout + second.stderr, KEYS);
  });

  test('takes TRAWL_API_KEY and prints no key', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
    await trawl.scrape(url);
    await trawl.stop();
    assert.doesNotMatch(trawl.stdout + trawl.stderr, KEYS);
  });

  test('creates the data directory', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: `${folder.path}/deep/down` });
    await trawl.scrape(url);
  });

  test('a key configured later works beside the generated one', async () => {
    await using folder = await temporaryFolder();
    let key = '';
    {
      await using first = await startProcess({ TRAWL_DATA_DIR: folder.path, TRAWL_API_KEY: '' });
      key = await first.line(PRINTED_KEY);
      await first.stop();
    }
    await using second = await startProcess({ TRAWL_DATA_DIR: folder.path, TRAWL_API_KEY: KEY });
    await second.scrape(url, {}, { key });
    await second.scrape(url, {}, { key: KEY });
  });
});

test('warns when the key in TRAWL_API_KEY was revoked, without printing it', async () => {
  await using folder = await temporaryFolder();
  const settings = { TRAWL_DATA_DIR: folder.path, TRAWL_LOG_LEVEL: 'info' };
  {
    await using first = await startProcess(settings);
    await first.stop();
  }
  assert.equal((await runTrawl(['keys', 'revoke', KEY], settings)).code, 0);
  await using second = await startProcess(settings);
  assert.equal((await second.refusal({ url })).status, 401);
  assert.match(second.stdout, /TRAWL_API_KEY has been revoked/);
  assert.ok(!second.stdout.includes(KEY));
});

describe('the end', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} lets a running scrape finish, then the process exits with 0`, async () => {
      await using folder = await temporaryFolder();
      await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
      const page = heldPage(site, `/held/${signal}`);
      const scrape = trawl.scrape(page.address);
      await page.reached;
      trawl.signal(signal);
      await refusesConnections(trawl.address);
      page.release();
      assert.match((await scrape).markdown ?? '', /At last/);
      const releasedAt = performance.now();
      assert.equal(await trawl.ended(), 0);
      assert.ok(performance.now() - releasedAt < 15_000, 'open connections without a request do not hold it');
    });
  }

  test('is immediate when no request is running', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
    await trawl.scrape(url);
    const startedAt = performance.now();
    assert.equal(await trawl.stop(), 0);
    assert.ok(performance.now() - startedAt < 15_000);
  });

  test('does not wait for connections that a browser opened in advance', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
    const { hostname, port } = new URL(trawl.address);
    const unused = connect(Number(port), hostname);
    await once(unused, 'connect');
    // The system decides whether this arrives as an end or as a reset.
    const closed = new Promise((resolve) => unused.on('error', () => {}).once('close', resolve));
    const startedAt = performance.now();
    assert.equal(await trawl.stop(), 0);
    assert.ok(performance.now() - startedAt < 15_000);
    await closed;
  });

  test('a second signal exits with 1 without waiting', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
    const page = heldPage(site, '/held/twice');
    const scrape = trawl.scrape(page.address);
    const failed = assert.rejects(scrape);
    await page.reached;
    const ended = trawl.stop();
    // Signals that arrive together count as one, because npm repeats the one from the terminal.
    const again = setInterval(() => trawl.signal('SIGTERM'), 50);
    const startedAt = performance.now();
    assert.equal(await ended, 1);
    clearInterval(again);
    assert.ok(performance.now() - startedAt < 15_000);
    await failed;
    page.release();
  });
});

test('results acknowledged before kill -9 survive it', async () => {
  await using folder = await temporaryFolder();
  const answered = [];
  {
    await using first = await startProcess({ TRAWL_DATA_DIR: folder.path });
    for (let round = 0; round < 5; round++) answered.push(await first.scrape(url, { maxAge: 0 }));
    const last = first.scrape(url, { maxAge: 0 }).then((document) => answered.push(document));
    await last;
    await first.stop('SIGKILL');
  }
  await using second = await startProcess({ TRAWL_DATA_DIR: folder.path });
  for (const document of answered) {
    const { status, body } = await second.get(`/v2/scrape/${document.metadata.scrapeId}`);
    assert.equal(status, 200);
    assert.deepEqual(body.data, document);
  }
  const { metadata } = await second.scrape(url);
  assert.equal(metadata.cacheState, 'hit');
});

describe('a start that fails', () => {
  test('on a port in use exits with 1 and says what to change', async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path });
    const { port } = new URL(trawl.address);
    const { code, stderr } = await runTrawl(['serve', '--port', port], { TRAWL_DATA_DIR: `${folder.path}/other` });
    assert.equal(code, 1);
    assert.match(stderr, /in use.*PORT/s);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  test('creates no key without printing it: the next start prints one', async () => {
    await using folder = await temporaryFolder();
    await using others = await temporaryFolder();
    await using other = await startProcess({ TRAWL_DATA_DIR: others.path });
    const { port } = new URL(other.address);
    const failed = await runTrawl(['serve', '--port', port], { TRAWL_DATA_DIR: folder.path });
    assert.equal(failed.code, 1);
    await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path, TRAWL_API_KEY: '' });
    await trawl.scrape(url, {}, { key: await trawl.line(PRINTED_KEY) });
  });

  test('waits for an unreachable database and says so, can be stopped, and does not reveal the password', async () => {
    const settings = {
      TRAWL_LOG_LEVEL: 'warn',
      DATABASE_URL: 'postgres://trawl:secret-word@127.0.0.1:1/trawl',
    };
    await using trawl = await startCommand(['serve'], settings, /ECONNREFUSED.* Waiting for it, at most 30 s\./);
    assert.equal(await trawl.stop('SIGTERM'), null);
    assert.doesNotMatch(trawl.stdout() + trawl.stderr(), /secret-word/);
  });
});

/** Resolves when the service has stopped listening. */
async function refusesConnections(address: string): Promise<void> {
  while (true) {
    try {
      const response = await fetch(`${address}/health`, { headers: { connection: 'close' } });
      await response.body?.cancel();
    } catch {
      return;
    }
  }
}
