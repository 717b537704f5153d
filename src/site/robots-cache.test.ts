import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { useClock } from '../clock.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import { trawlError } from '../fetch/testing/fetching.ts';
import { type Handler, serveBytes, serveHttp, serveTcp } from '../fetch/testing/servers.ts';
import type { Fetcher } from '../fetch/types.ts';
import { RobotsCache } from './robots-cache.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;

/** Names that end in .test are on loopback. */
function testFetcher(): Fetcher & AsyncDisposable {
  const fetcher = createFetcher({
    allowNetworks: ['127.0.0.1'],
    maxBodyBytes: 1024 * 1024,
    resolve: async (name) => {
      if (name.endsWith('.test')) return [{ address: '127.0.0.1', family: 4 }];
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  });
  return { ...fetcher, [Symbol.asyncDispose]: () => fetcher.close() };
}

/** A cache and a site, with the number of requests to the site. */
async function siteWith(handler: Handler) {
  let asked = 0;
  const server = await serveHttp((request, response) => {
    asked++;
    handler(request, response);
  });
  const fetcher = testFetcher();
  const cache = new RobotsCache(fetcher);
  return {
    cache,
    fetcher,
    origin: server.url,
    port: server.port,
    asked: () => asked,
    /** Whether /x may be fetched, and whether the file was unreachable. */
    async ask(origin = server.url): Promise<[allowed: boolean, unreachable: boolean]> {
      const url = new URL('/x', origin);
      const { robots, unreachable } = await cache.get(url, never);
      return [robots.rulesFor('Trawl').isAllowed(url), unreachable !== undefined];
    },
    async [Symbol.asyncDispose]() {
      await fetcher.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const answer =
  (status: number, body = 'User-agent: *\nDisallow: /x', headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);

/** Longer than the part that is read, and longer than a page may be here. Its last lines would allow everything. */
const LONG = `User-agent: *\nDisallow: /x\n${'#'.repeat(99)}\n`
  .padEnd(2_000_000, '# more\n')
  .concat('\nAllow: /x/\nAllow: /x');

/** Sends lines for as long as the connection is open. */
const endless: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write('User-agent: *\nDisallow: /x\n');
  const write = () => {
    while (!response.destroyed && response.write('# and so on\n'.repeat(1_000)));
  };
  response.on('drain', write);
  write();
};

let restoreClock = () => {};
afterEach(() => restoreClock());

function setClock(time: number): void {
  restoreClock();
  restoreClock = useClock(() => time);
}

describe('the robots.txt of a site', () => {
  for (const [name, handler, expected] of [
    ['is obeyed when it exists', answer(200), [false, false]],
    ['is obeyed whatever its type', answer(200, undefined, { 'content-type': 'text/html' }), [false, false]],
    ['allows everything when it is a page instead', answer(200, '<!doctype html><p>Welcome'), [true, false]],
    ['allows everything when it is empty', answer(200, ''), [true, false]],
    ['allows everything when it does not exist', answer(404), [true, false]],
    ['allows everything when access to it is forbidden', answer(403), [true, false]],
    ['allows nothing when the site fails', answer(503), [false, true]],
    ['allows nothing when the site fails, with rules or without', answer(500, ''), [false, true]],
    ['is obeyed up to the size limit when it is very long', answer(200, LONG), [false, false]],
    ['is obeyed up to the size limit when it never ends', endless, [false, false]],
    ['allows everything when its first line never ends', answer(200, 'x'.repeat(1024 * 1024 + 1)), [true, false]],
  ] as const) {
    test(name, async () => {
      await using site = await siteWith(handler);
      assert.deepEqual(await site.ask(), expected);
    });
  }

  test('allows nothing when the site does not exist, and gives the reason', async () => {
    await using site = await siteWith(answer(200));
    const { unreachable = '' } = await site.cache.get(new URL('http://gone.example/'), never);
    assert.match(unreachable, /^http:\/\/gone\.example\/robots\.txt could not be read: .*gone\.example/);
    assert.deepEqual(await site.ask('http://gone.example'), [false, true]);
  });

  test('allows nothing when it redirects to a forbidden network', async () => {
    await using site = await siteWith(answer(302, '', { location: 'http://169.254.169.254/robots.txt' }));
    assert.deepEqual(await site.ask(), [false, true]);
  });

  test('allows nothing when it is truncated', async () => {
    await using server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nAllow: /');
    await using fetcher = testFetcher();
    const { robots, unreachable } = await new RobotsCache(fetcher).get(new URL(server.url), never);
    assert.match(unreachable ?? '', /closed before it was complete/);
    assert.equal(robots.rulesFor('Trawl').isAllowed(new URL(server.url)), false);
  });

  test('is read to 500 KiB, once, and the connection is closed', async () => {
    const closed = Promise.withResolvers<number>();
    await using site = await siteWith((request, response) => {
      response.once('close', () => closed.resolve(request.socket.bytesWritten));
      endless(request, response);
    });
    assert.deepEqual(await site.ask(), [false, false]);
    // The operating system buffers some megabytes before the server notices that nothing is read.
    assert.ok((await closed.promise) < 16 * 1024 * 1024);
    assert.equal(site.asked(), 1);
  });

  for (const [what, bytes, expected] of [
    ['is used as far as it has arrived when it is slow and long', 70_000, [false, false]],
    ['allows nothing when it is slow and little of it has arrived', 60_000, [false, true]],
  ] as const) {
    test(what, async () => {
      // The last line is cut in the middle: the part that arrives would allow everything.
      const lines = `User-agent: *\nDisallow: /x\n${'# more\n'.repeat(bytes / 7)}Allow: /x/cut`;
      await using site = await siteWith((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).write(lines);
      });
      const cache = new RobotsCache(site.fetcher, { fetchMs: 1_500 });
      const { robots, unreachable } = await cache.get(new URL(site.origin), never);
      const isAllowed = robots.rulesFor('Trawl').isAllowed(new URL('/x/cut/off', site.origin));
      assert.deepEqual([isAllowed, unreachable !== undefined], expected);
    });
  }

  test('is read at the end of redirects, even to other hosts', async () => {
    await using site = await siteWith((request, response) => {
      const step = Number(/\d$/.exec(request.url ?? '')?.[0] ?? 0);
      if (step === 5) answer(200)(request, response);
      else response.writeHead(301, { location: `http://host${step}.test:${site.port}/step${step + 1}` }).end();
    });
    assert.deepEqual(await site.ask(), [false, false]);
    assert.equal(site.asked(), 6);
  });

  test('allows everything when it redirects endlessly', async () => {
    await using site = await siteWith((_request, response) => response.writeHead(302, { location: '/x' }).end());
    assert.deepEqual(await site.ask(), [true, false]);
  });

  test('applies to one scheme, host and port only', async () => {
    await using site = await siteWith((request, response) =>
      answer(request.headers.host?.startsWith('closed') ? 200 : 404)(request, response),
    );
    assert.deepEqual(await site.ask(`http://open.test:${site.port}`), [true, false]);
    assert.deepEqual(await site.ask(`http://closed.test:${site.port}`), [false, false]);
    assert.equal(site.asked(), 2);
  });
});

describe('the cache of robots.txt', () => {
  test('asks a site once for simultaneous callers, and then not for a day', async () => {
    await using site = await siteWith(answer(200));
    setClock(0);
    const answers = await Promise.all(Array.from({ length: 50 }, () => site.ask()));
    assert.deepEqual([...new Set(answers.map(String))], ['false,false']);
    setClock(24 * HOUR - 1);
    await site.ask();
    assert.equal(site.asked(), 1);
    setClock(24 * HOUR);
    await site.ask();
    assert.equal(site.asked(), 2);
  });

  test('asks a site that failed after 1.5 s, then 3 s, then every two minutes', async () => {
    let works = false;
    await using site = await siteWith((request, response) => answer(works ? 404 : 500)(request, response));
    let asked = 0;
    for (const time of [0, 1_500, 4_500, 124_500, 244_500]) {
      setClock(time - 1);
      if (time > 0) assert.deepEqual(await site.ask(), [false, true]);
      assert.equal(site.asked(), asked);
      setClock(time);
      assert.deepEqual(await site.ask(), [false, true]);
      assert.equal(site.asked(), ++asked);
    }
    works = true;
    setClock(364_500);
    assert.deepEqual(await site.ask(), [true, false]);
  });

  test('uses the last copy while a site fails', async () => {
    let works = true;
    const rules = 'User-agent: *\nDisallow: /y';
    await using site = await siteWith((request, response) => answer(works ? 200 : 502, rules)(request, response));
    setClock(0);
    assert.deepEqual(await site.ask(), [true, false]);
    works = false;
    setClock(24 * HOUR);
    assert.deepEqual(await site.ask(), [true, true]);
    setClock(24 * HOUR + 1_500);
    assert.deepEqual(await site.ask(), [true, true]);
    assert.equal(site.asked(), 3);
    works = true;
    setClock(24 * HOUR + 4_500);
    assert.deepEqual(await site.ask(), [true, false]);
  });

  test('keeps the 2,000 most recently used sites', async () => {
    await using site = await siteWith(answer(404));
    const ask = (n: number) => site.ask(`http://site${n}.test:${site.port}`);
    for (let n = 0; n < 2_000; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => ask(n + i)));
    assert.equal(site.asked(), 2_000);
    await ask(0);
    await ask(2_000);
    assert.equal(site.asked(), 2_001);
    await ask(0);
    assert.equal(site.asked(), 2_001);
    await ask(1);
    assert.equal(site.asked(), 2_002);
  });

  test('keeps no more than 4 million characters', async () => {
    const file = `User-agent: *\nDisallow: /x\n${'#\n'.repeat(250_000)}`;
    await using site = await siteWith(answer(200, file));
    for (let n = 0; n < 10; n++) await site.ask(`http://site${n}.test:${site.port}`);
    await site.ask(`http://site9.test:${site.port}`);
    assert.equal(site.asked(), 10);
    await site.ask(`http://site0.test:${site.port}`);
    assert.equal(site.asked(), 11);
  });

  test('lets one caller abort while the others get the file', async () => {
    const asked = Promise.withResolvers<() => void>();
    await using site = await siteWith((request, response) => asked.resolve(() => answer(404)(request, response)));
    const cancel = new AbortController();
    const gone = assert.rejects(site.cache.get(new URL(site.origin), cancel.signal), /no more time/);
    const other = site.ask();
    const reply = await asked.promise;
    cancel.abort(new Error('no more time'));
    await gone;
    reply();
    assert.deepEqual(await other, [true, false]);
    assert.equal(site.asked(), 1);
    await assert.rejects(site.cache.get(new URL(site.origin), cancel.signal), /no more time/);
  });

  test('does not take the shutdown of the service for a failure of the site', async () => {
    const connected = Promise.withResolvers<void>();
    await using server = await serveTcp(() => connected.resolve());
    await using fetcher = testFetcher();
    const asking = assert.rejects(
      new RobotsCache(fetcher).get(new URL(server.url), never),
      trawlError('SHUTTING_DOWN'),
    );
    await connected.promise;
    await fetcher.close();
    await asking;
  });
});
