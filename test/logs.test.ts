import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { openStream } from './support/stream.ts';
import { KEY } from './support/trawl.ts';

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

/** What a process logs in a time of all kinds of calls, up to its end. */
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

  test('has one line when a stream of a job opens and one when it closes, with what it has of a request', async () => {
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

  test('holds no key, header, body, page or address, whatever happens', async () => {
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

  test('does not call it an error when a caller hangs up', async () => {
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
