import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { findNode20 } from './support/old-node.ts';
import { shared } from './support/shared.ts';
import { askForStream, askForUpgrade, openRawStream } from './support/stream.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const NO_ID = '01890000-0000-7000-8000-000000000000';
const WRONG_KEY = 'fc-00000000000000000000000000000000';
const trawl = await shared(startTrawl());
const stream = `${trawl.address}/v2/crawl/${NO_ID}`;

const node20 = findNode20();
const skip = node20 === undefined ? 'no Node 20 on this machine' : false;
describe('a Node 20 process with the watcher of the SDK', { skip, concurrency: true }, () => {
  for (const [what, key, error] of [
    ['a job that does not exist', KEY, /There is no crawl with this id/],
    ['a wrong key', WRONG_KEY, /unknown or was revoked/],
  ] as const) {
    test(`is told of ${what} and survives`, async () => {
      const program = `
        import Firecrawl from 'firecrawl';
        const client = new Firecrawl({ apiUrl: ${JSON.stringify(trawl.address)}, apiKey: '${key}' });
        const watcher = client.watcher('${NO_ID}');
        watcher.once('error', ({ error }) => console.log('refused:', error));
        await watcher.start();
        watcher.ws.addEventListener('close', ({ code }) => console.log('alive after', code));
        watcher.close();`;
      const flags = ['--experimental-websocket', '--no-warnings', '--input-type=module', '--eval', program];
      const child = spawn(node20 ?? '', flags, { cwd: join(import.meta.dirname, '..') });
      const [output, complaints, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      assert.deepEqual({ complaints, code }, { complaints: '', code: 0 });
      assert.match(output, error);
      assert.match(output, /alive after 1008\n$/);
    });
  }
});

test('a refused stream is counted under the status of its refusal', async () => {
  const refused = async () => {
    const metrics = await (await fetch(`${trawl.address}/metrics`)).text();
    const line = /^trawl_http_request_seconds_count\{method="GET",route="\/v1\/crawl\/:id",status="401"\} (\d+)$/m;
    return Number(line.exec(metrics)?.[1] ?? 0);
  };
  assert.equal(await refused(), 0);
  const answer = await askForStream(stream.replace('v2', 'v1'), { protocols: WRONG_KEY });
  assert.equal(answer.isOpen, false);
  assert.equal(await refused(), 1);
});

test('at most a hundred refused sockets wait for an answer to the close, for a second each', async (t) => {
  await using own = await startTrawl();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const opened = await Promise.all(
    Array.from({ length: 130 }, () => openRawStream(`${own.address}/v2/crawl/${NO_ID}`, WRONG_KEY)),
  );
  let open = opened.length;
  const evicted = Promise.withResolvers<void>();
  const closed = opened.map(async (socket) => {
    await once(socket.on('error', () => {}).resume(), 'close');
    open -= 1;
    if (open === 100) evicted.resolve();
  });
  // The first thirty were closed to make room for the last.
  await evicted.promise;
  assert.equal((await askForUpgrade(`${own.address}/health`)).status, 404);
  assert.equal(open, 100);
  t.mock.timers.tick(1_000);
  await Promise.all(closed);
});

describe('an upgrade is refused in HTTP', () => {
  for (const [method, path, status, error] of [
    ['GET', '/health', 404, /There is no WebSocket at GET \/health\./],
    ['GET', '/v2/team/queue-status', 404, /There is no WebSocket at/],
    ['GET', `/v2/crawl/${NO_ID}/errors`, 404, /There is no WebSocket at/],
    ['DELETE', `/v2/crawl/${NO_ID}`, 404, /There is no WebSocket at DELETE/],
    ['GET', '/v2/nothing', 404, /There is no GET \/v2\/nothing\./],
  ] as const) {
    test(`at ${method} ${path.replace(NO_ID, '{id}')}`, async () => {
      const headers = { authorization: `Bearer ${KEY}` };
      const answer = await askForUpgrade(trawl.address + path, { method, headers });
      assert.equal(answer.status, status);
      assert.match(JSON.parse(answer.body).error, error);
    });
  }

  test('when it is not a WebSocket handshake', async () => {
    const headers = { 'sec-websocket-version': '1', 'sec-websocket-protocol': WRONG_KEY };
    assert.equal((await askForUpgrade(stream, { headers })).status, 400);
  });
});
