import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { openStream } from './support/stream.ts';
import { missingTerminal, Terminal } from './support/terminal.ts';
import { KEY, TEST_SETTINGS, TrawlClient } from './support/trawl.ts';

const site = await shared(startSite());

interface LogLine {
  level: number;
  msg: string;
  requestId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  keyId?: string;
  code?: string;
  closeCode?: number;
}

/** The complete log of a process that serves all kinds of calls. */
async function logOf(calls: (trawl: TrawlProcess) => Promise<unknown>) {
  await using folder = await temporaryFolder();
  await using trawl = await startProcess({ TRAWL_DATA_DIR: folder.path, TRAWL_LOG_LEVEL: 'debug' });
  await calls(trawl);
  await trawl.stop();
  const text = trawl.stdout + trawl.stderr;
  const lines: LogLine[] = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  return { text, lines };
}

describe('off a terminal', () => {
  test('standard output is JSON lines from the first start to the end, and standard error is empty', async () => {
    await using folder = await temporaryFolder();
    const settings = { TRAWL_DATA_DIR: folder.path, TRAWL_LOG_LEVEL: 'info', TRAWL_API_KEY: '' };
    await using trawl = await startProcess(settings);
    await trawl.get('/v2/team/credit-usage', { key: await trawl.line(/(fc-[0-9a-f]{32})/) });
    await trawl.stop();
    const lines: (LogLine & { address?: string })[] = trawl.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ msg }) => msg.replace(/[:—…].*/, '').trim()),
      ['Trawl listens on http', 'Your API key, shown this once', 'request', 'SIGTERM'],
    );
    assert.equal(lines[0]?.address, trawl.address);
    assert.equal(trawl.stderr, '');
  });
});

describe('on a terminal', { skip: missingTerminal }, () => {
  test('a request is one readable line: time, status, route, duration, size, key', async () => {
    await using folder = await temporaryFolder();
    const settings = { ...TEST_SETTINGS, TRAWL_DATA_DIR: folder.path, TRAWL_LOG_LEVEL: 'info' };
    await using terminal = new Terminal(['serve'], settings, folder.path);
    const trawl = new TrawlClient(await terminal.line(/^Trawl listens on (\S+)/m));
    await trawl.scrape(site.page('/', html('<h1>Here</h1>')));
    await trawl.refusal({ url: 'ftp://example.com/' });
    await terminal.line(/(BAD_REQUEST)/);
    const requests = terminal.text.split('\n').filter((line) => line.includes('/v2/scrape'));
    assert.equal(requests.length, 2);
    assert.match(
      requests[0] ?? '',
      /^\d\d:\d\d:\d\d {2}200 {2}POST \/v2\/scrape {2}\d+ ms {2}\d+ B {2}key …[0-9a-f]{8}$/,
    );
    assert.match(
      requests[1] ?? '',
      /^\S+ {2}400 {2}POST \/v2\/scrape {2}\d+ ms {2}\d+ B {2}key …[0-9a-f]{8} {2}BAD_REQUEST$/,
    );
    assert.doesNotMatch(terminal.text, /^\{|requestId/m);
  });
});

describe('the log', () => {
  test('has one line for each request, with its id, route, status, time and the id of its key', async () => {
    let id: string | null = null;
    const { lines } = await logOf(async (trawl) => {
      const { headers } = await trawl.post('/v2/scrape', { url: site.page('/', html('<h1>Here</h1>')) });
      id = headers.get('x-request-id');
    });
    const requests = lines.filter(({ msg }) => msg === 'request');
    assert.equal(requests.length, 1);
    const [line] = requests;
    assert.equal(line?.requestId, id);
    assert.equal(line?.method, 'POST');
    assert.equal(line?.route, '/v2/scrape');
    assert.equal(line?.status, 200);
    assert.ok((line?.ms ?? 0) > 0);
    assert.match(line?.keyId ?? '', /./);
  });

  test('has one line when a job stream opens and one when it closes, with the fields of a request that apply', async () => {
    const url = site.page('/streamed', html('<h1>Here</h1>'));
    const { lines, text } = await logOf(async (trawl) => {
      const started = await startBatch(trawl, { urls: [url] });
      await openStream(started.url).ended;
    });
    const [opened, closed] = lines.filter(({ msg }) => msg.startsWith('stream'));
    assert.deepEqual([opened?.msg, closed?.msg], ['stream opened', 'stream closed']);
    for (const line of [opened, closed]) {
      assert.deepEqual([line?.method, line?.route], ['GET', '/v2/batch/scrape/:id']);
      assert.match(line?.keyId ?? '', /./);
      assert.equal(line?.requestId, opened?.requestId);
    }
    assert.deepEqual([opened?.status, closed?.closeCode], [101, 1000]);
    assert.ok((closed?.ms ?? 0) > 0);
    assert.ok(!text.includes(KEY));
  });

  test('names the code of a failure', async () => {
    const { lines } = await logOf((trawl) => trawl.refusal({ url: 'ftp://example.com/' }));
    assert.deepEqual(
      lines.filter(({ msg }) => msg === 'request').map(({ status, code }) => ({ status, code })),
      [{ status: 400, code: 'BAD_REQUEST' }],
    );
  });

  test('never contains a key, header, body, page or address', async () => {
    const secret = 'marmalade';
    const page = site.page(`/${secret}/page`, html(`<h1>${secret}</h1>`, `<title>${secret}</title>`));
    const { text, lines } = await logOf(async (trawl) => {
      await trawl.scrape(page, {
        headers: { 'x-session': secret, cookie: `id=${secret}` },
        formats: ['markdown', 'rawHtml'],
      });
      await trawl.scrape(page, { excludeTags: [`.${secret}`] });
      await trawl.scrape(`${page}?token=${secret}`, { zeroDataRetention: true });
      await trawl.scrape(page, { skipTlsVerification: true }, { version: 'v1' });
      for (const [path, handler] of Object.entries(hostile)) {
        const url = site.page(`/${secret}/${path}`, handler);
        await trawl.post('/v1/scrape', { url, timeout: 200 });
      }
      await trawl.refusal({ url: `http://${secret}.invalid/` });
      await trawl.refusal({ url: `http://10.0.0.1/${secret}` });
      await trawl.refusal({ url: `ftp://${secret}/` });
      await trawl.refusal({ url: page, [secret]: secret });
      await trawl.refusal(`{"url": "${secret}`);
      await trawl.refusal({ url: page }, { key: `fc-${secret}` });
      await trawl.get(`/v2/${secret}?key=${secret}`);
      await trawl.get(`/v2/scrape/${secret}`);
    });
    assert.ok(lines.length >= 20, `only ${lines.length} lines`);
    assert.ok(
      !text.includes(secret),
      text.split('\n').find((line) => line.includes(secret)),
    );
    assert.ok(!text.includes(KEY));
    assert.ok(!text.includes(new URL(page).host));
    assert.deepEqual(
      lines.filter(({ level }) => level >= 50),
      [],
      'a failing target is not our error',
    );
  });

  test('does not log an error when a caller hangs up', async () => {
    const reached = Promise.withResolvers<void>();
    const url = site.page('/held', () => reached.resolve());
    const { lines } = await logOf(async (trawl) => {
      const caller = new AbortController();
      const call = fetch(`${trawl.address}/v2/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
        signal: caller.signal,
      });
      await reached.promise;
      caller.abort();
      await assert.rejects(call);
    });
    assert.deepEqual(
      lines.filter(({ level }) => level >= 50),
      [],
    );
  });
});
