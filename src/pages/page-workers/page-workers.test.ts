import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../../test/support/random.ts';
import { TrawlError } from '../../errors.ts';
import { decompress } from '../../store/compression.ts';
import { type DocumentParts, makeDocument } from '../make-document.ts';
import { packPage } from '../pack-page.ts';
import type { ScrapeOptions } from '../request.ts';
import { PageWorkers } from './page-workers.ts';

const OPTIONS: ScrapeOptions = {
  formats: ['markdown', 'html', 'links', 'images', 'attributes', 'product'],
  attributes: [{ selector: 'p', attribute: 'id' }],
  onlyMainContent: true,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  headers: {},
  mobile: false,
  location: { country: undefined, languages: [] },
  verifyTls: true,
  proxy: 'auto',
  timeout: 60_000,
  maxAge: 0,
  minAge: undefined,
  waitFor: 0,
  actions: [],
  screenshot: undefined,
  storeInCache: true,
  lockdown: false,
  zeroDataRetention: false,
  redactPII: { entities: ['EMAIL', 'PHONE'], replaceStyle: 'tag' },
  threatProtection: undefined,
  discover: { agent: 'trawl' },
};
const PLAIN: ScrapeOptions = { ...OPTIONS, formats: ['markdown'], attributes: [] };
const never = new AbortController().signal;

/** By default too long for the main thread. */
function page(body: string, { length = 200_000, contentType = 'text/html', options = OPTIONS } = {}): DocumentParts {
  const filling = '<p>Write to <a href="mailto:anna@example.org">anna@example.org</a> or call 202-555-0143.</p>';
  const text = `<title>A page</title><main>${body}${filling.repeat(Math.ceil(length / filling.length))}</main>`;
  const url = 'http://site.example/';
  return {
    obtained: {
      page: {
        url,
        status: 200,
        headers: { 'content-language': 'de', 'x-robots-tag': 'noindex' },
        contentType,
        body: new TextEncoder().encode(text),
        isText: true,
        proxyUsed: 'basic',
      },
      storedAt: undefined,
      policyWarning: undefined,
    },
    request: { ...options, url },
    scrape: { id: 'id', credits: 1 },
  };
}

/** A worker takes at least one message there and one back. */
async function isReadImmediately(workers: PageWorkers, parts: DocumentParts, team = 'a'): Promise<boolean> {
  const turn = new Promise<false>((resolve) => setImmediate(resolve, false));
  const reading = workers.read(parts, team, never);
  const readAndPack = await Promise.race([reading.then(() => true), turn]);
  await reading;
  return readAndPack;
}

/** The niceness of each thread of this process: see proc_pid_stat(5). */
function niceness(): number[] {
  const threads = '/proc/self/task';
  return readdirSync(threads).flatMap((thread) => {
    try {
      const stat = readFileSync(join(threads, thread, 'stat'), 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    } catch {
      // The thread has exited.
      return [];
    }
  });
}

const isCode = (code: string) => (error: unknown) => error instanceof TrawlError && error.code === code;

describe('page workers', () => {
  for (const [name, make] of [
    ['a page', () => page('<h1>Über uns</h1>')],
    ['a small page', () => page('<h1>Über uns</h1>', { length: 1000 })],
    [
      'a small page with selectors',
      () => page('<h1>Über uns</h1>', { length: 1000, options: { ...OPTIONS, includeTags: ['h1 + p'] } }),
    ],
    ['plain text', () => page('# Text', { contentType: 'text/plain' })],
  ] as const) {
    test(`read and pack ${name} as the calling thread does`, async () => {
      await using workers = new PageWorkers();
      const together = await Promise.all([1, 2, 3, 4].map(() => workers.read(make(), 'a', never)));
      for (const made of together) assert.deepEqual(made, makeDocument(make()));
      for (const keep of [true, false]) {
        const packed = await workers.pack({ ...make(), keep }, 'a', never);
        assert.deepEqual(packed, packPage({ ...make(), keep }));
        assert.deepEqual(
          JSON.parse(String(Buffer.from(await decompress(packed.document)))),
          makeDocument(make()).document,
        );
        assert.deepEqual(
          packed.copy && Buffer.from(await decompress(packed.copy)),
          keep ? Buffer.from(make().obtained.page.body) : undefined,
        );
      }
    });
  }

  test('refuse a page that is not text', async () => {
    await using workers = new PageWorkers();
    const { obtained, ...parts } = page('');
    const picture = { ...parts, obtained: { ...obtained, page: { ...obtained.page, isText: false } } };
    await assert.rejects(workers.read(picture, 'a', never), isCode('SCRAPE_UNSUPPORTED_FILE_ERROR'));
    await assert.rejects(workers.pack({ ...picture, keep: true }, 'a', never), isCode('SCRAPE_UNSUPPORTED_FILE_ERROR'));
  });

  test('read a small page immediately, unless a selector of the caller could take long', async () => {
    await using workers = new PageWorkers();
    for (const selectors of [
      { includeTags: ['main p'] },
      { excludeTags: ['nav', 'p:has(~ p)'] },
      { attributes: [{ selector: '*', attribute: 'id' }] },
    ]) {
      assert.equal(
        await isReadImmediately(workers, page('', { length: 1000, options: { ...PLAIN, ...selectors } })),
        false,
      );
    }
    const options = { ...PLAIN, includeTags: ['main', '#a'], excludeTags: ['nav.b'], attributes: OPTIONS.attributes };
    assert.equal(await isReadImmediately(workers, page('', { length: 1000, options })), true);
  });

  test('keep reading immediately after a typical page, and cool down longer the slower a page was', async (context) => {
    for (const [took, cooldown] of [
      [40, 0],
      [100, 4_000],
      [1_000, 400_000],
    ] as const) {
      let now = 0;
      const clock = context.mock.method(performance, 'now', () => now);
      const processor = context.mock.method(process, 'threadCpuUsage', () => ({ user: took * 1000, system: 0 }));
      await using workers = new PageWorkers();
      const read = (team = 'a') => isReadImmediately(workers, page('', { length: 1000, options: PLAIN }), team);
      assert.equal(await read(), true);
      if (cooldown > 0) {
        now += cooldown - 1;
        assert.equal(await read(), false);
        now += 1;
      }
      assert.equal(await read(), true);
      clock.mock.restore();
      processor.mock.restore();
    }
  });

  test('read pages of other teams immediately while one is cooling down, unless many are', async (context) => {
    const processor = context.mock.method(process, 'threadCpuUsage', () => ({ user: 100_000, system: 0 }));
    await using workers = new PageWorkers();
    const read = (team: string) => isReadImmediately(workers, page('', { length: 1000, options: PLAIN }), team);
    for (const team of ['a', 'b', 'c', 'd']) assert.equal(await read(team), true);
    assert.equal(await read('a'), false);
    assert.equal(await read('e'), false);
    processor.mock.restore();
  });

  test('throw what the reader throws', async () => {
    await using workers = new PageWorkers();
    const options = { ...OPTIONS, includeTags: ['p[[['] };
    for (const parts of [page('', { options }), page('', { options, length: 100 })]) {
      await assert.rejects(workers.read(parts, 'a', never), isCode('BAD_REQUEST'));
    }
  });

  test('give up on a page that takes too much memory, and read the next', async () => {
    await using workers = new PageWorkers({ heapMb: 64 });
    const many = page('<p>x'.repeat(500_000));
    await assert.rejects(workers.read(many, 'a', never), isCode('SCRAPE_PAGE_TOO_LARGE'));
    assert.equal((await workers.read(page(''), 'a', never)).document.metadata.title, 'A page');
  });

  test('stop in the middle of a page, and in the queue, when the signal aborts', async () => {
    await using workers = new PageWorkers();
    const endless = page('<p>x'.repeat(1_000_000));
    const stop = new AbortController();
    const reading = Array.from({ length: 20 }, () => workers.read(endless, 'a', stop.signal));
    const reason = new TrawlError('SCRAPE_TIMEOUT', 'Too late.');
    stop.abort(reason);
    for (const outcome of await Promise.allSettled(reading)) {
      assert.equal(outcome.status === 'rejected' && outcome.reason, reason);
    }
    await assert.rejects(workers.read(endless, 'a', stop.signal), reason);
    assert.equal((await workers.read(page(''), 'a', never)).document.metadata.title, 'A page');
  });

  test('refuse a page when too many wait', async () => {
    await using workers = new PageWorkers();
    const source = page('', { length: 1_000_000 });
    const outcomes = Array.from({ length: 300 }, () => workers.read(source, 'a', never));
    const settled = Promise.allSettled(outcomes);
    await assert.rejects(Promise.all(outcomes), isCode('OVERLOADED'));
    await workers.close();
    const codes = (await settled).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'read'));
    assert.deepEqual([...new Set(codes)].sort(), ['OVERLOADED', 'SHUTTING_DOWN']);
  });

  test('read background pages one by one, and two at a time when they have waited for long', {
    skip: availableParallelism() < 2 && 'there is only one CPU',
  }, async (context) => {
    let now = 0;
    const clock = context.mock.method(performance, 'now', () => now);
    await using workers = new PageWorkers();
    for (const waited of [14_999, 15_000]) {
      const ended: string[] = [];
      const pack = async (name: string, body: string) => {
        await workers.pack({ ...page(body, { length: 1000, options: PLAIN }), keep: false }, 'a', never);
        ended.push(name);
      };
      const packing = [pack('slow', '<p>x'.repeat(50_000)), pack('quick', '')];
      now += waited;
      packing.push(pack('last', ''));
      await Promise.all(packing);
      assert.deepEqual(ended, waited < 15_000 ? ['slow', 'quick', 'last'] : ['quick', 'last', 'slow']);
    }
    clock.mock.restore();
  });

  test('leave a thread to other teams, however slow the pages of one are', async () => {
    await using workers = new PageWorkers();
    const stop = new AbortController();
    const slow = () => page('<p>x'.repeat(1_000_000));
    let ended = 0;
    const reading = Array.from({ length: 16 }, (_, n) => {
      const one =
        n % 2 === 0
          ? workers.read(slow(), 'slow', stop.signal)
          : workers.pack({ ...slow(), keep: false }, 'slow', stop.signal);
      return one.finally(() => ended++);
    });
    const settled = Promise.allSettled(reading);
    assert.equal((await workers.read(page(''), 'quick', never)).document.metadata.title, 'A page');
    assert.equal(ended, 0);
    stop.abort(new Error('Enough.'));
    await settled;
  });

  test('alternate between teams for background pages', async () => {
    await using workers = new PageWorkers();
    const ended: string[] = [];
    const pack = async (team: string) => {
      await workers.pack({ ...page('', { length: 1000 }), keep: false }, team, never);
      ended.push(team);
    };
    // Each team gets its own thread first: a new one takes longer to start than the others need for all pages.
    await Promise.all([pack('many'), pack('few')]);
    ended.length = 0;
    await Promise.all([...Array.from({ length: 20 }, () => pack('many')), pack('few'), pack('few')]);
    // Without alternation they would come last. The margin is for a busy machine, which starts the second thread late.
    assert.ok(ended.lastIndexOf('few') < 12, ended.join());
  });

  test('read a slow page at the lowest priority, and the next page in another thread', {
    skip: process.platform !== 'linux' && 'threads do not have their own priority here',
  }, async () => {
    await using workers = new PageWorkers();
    const stop = new AbortController();
    const slow = workers.read(page('<p>x'.repeat(1_000_000)), 'a', stop.signal);
    const settled = slow.catch(() => {});
    while (!niceness().includes(19)) await pause(50);
    stop.abort(new Error('Enough.'));
    await settled;
    await workers.read(page(''), 'a', never);
    assert.ok(!niceness().includes(19));
  });

  test('give up on a page that takes too much CPU time', async () => {
    await using workers = new PageWorkers({ processorMs: 1_200 });
    await assert.rejects(workers.read(page('<p>x'.repeat(1_000_000)), 'a', never), (error: unknown) => {
      assert.ok(error instanceof TrawlError && error.code === 'SCRAPE_PAGE_TOO_LARGE', String(error));
      assert.match(error.message, /more than 1\.2 s of CPU time/);
      return true;
    });
  });

  test('list the teams that have enough pages waiting', async () => {
    await using workers = new PageWorkers();
    const pack = (team: string, count: number) =>
      Array.from({ length: count }, () =>
        workers.pack({ ...page('', { length: 2_000_000, contentType: 'text/plain' }), keep: false }, team, never),
      );
    const packing = [...pack('many', 9), ...pack('few', 1)];
    assert.deepEqual(workers.full, ['many']);
    await Promise.all(packing);
    assert.deepEqual(workers.full, []);
  });

  test('give no page to a thread that is being ended because it was idle', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    await using workers = new PageWorkers();
    const small = () => page('', { length: 1000, options: { ...PLAIN, includeTags: ['main p'] } });
    await workers.read(small(), 'a', never);
    // The thread has been asked to end, but its exit event has not arrived yet.
    context.mock.timers.tick(30_000);
    assert.equal((await workers.read(small(), 'a', never)).document.metadata.title, 'A page');
  });

  test('read each page or fail it for its own reason, even as threads idle, are stopped and die', async () => {
    const script = new URL(`./testing/small-reader${extname(import.meta.filename)}`, import.meta.url);
    const numbers = new Random(11);
    const random = () => numbers.next();
    await using workers = new PageWorkers({ idleMs: 1, script });
    const kinds = { read: 0, stopped: 0, died: 0 };
    const operation = async (name: string) => {
      const dies = random() < 0.1;
      const url = `http://site.example/${name}${dies ? '-dies' : random() < 0.5 ? '-slow' : ''}`;
      const { obtained, request, scrape } = page('', { length: 100, options: { ...PLAIN, includeTags: ['main p'] } });
      const parts = { obtained, request: { ...request, url }, scrape };
      const stop = new AbortController();
      const reason = new Error(`Stopped ${name}.`);
      const timer = random() < 0.3 ? setTimeout(() => stop.abort(reason), random() * 6) : undefined;
      const team = String(Math.floor(random() * 3));
      try {
        const made: unknown =
          random() < 0.5
            ? await workers.read(parts, team, stop.signal)
            : await workers.pack({ ...parts, keep: false }, team, stop.signal);
        assert.deepEqual(made, { document: { metadata: { title: url } } });
        kinds.read += 1;
      } catch (error) {
        if (error === reason) kinds.stopped += 1;
        else {
          assert.ok(dies && error instanceof TrawlError && error.code === 'INTERNAL_ERROR', `${url}: ${error}`);
          kinds.died += 1;
        }
      } finally {
        clearTimeout(timer);
      }
    };
    await Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        for (let n = 0; n < 40; n++) {
          await operation(`${lane}-${n}`);
          // So that some threads are idle for exactly as long as they may be.
          await pause(random() * 3);
        }
      }),
    );
    for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 0, kind);
  });

  test('read nothing after they are closed', async () => {
    const workers = new PageWorkers();
    await workers.close();
    await assert.rejects(workers.read(page(''), 'a', never), isCode('SHUTTING_DOWN'));
  });

  test('read background pages after all others, however many there are', async () => {
    await using workers = new PageWorkers();
    const ended: string[] = [];
    const read = async (name: string, reading: Promise<unknown>) => {
      await reading;
      ended.push(name);
    };
    const small = () => ({ ...page('<h1>Background</h1>', { length: 20_000, options: PLAIN }), keep: true });
    await Promise.all([
      ...Array.from({ length: 60 }, () => read('background', workers.pack(small(), 'a', never))),
      read('waited for', workers.read(page('<h1>Here</h1>', { options: PLAIN }), 'a', never)),
    ]);
    assert.ok(ended.indexOf('waited for') < 50, `${ended.indexOf('waited for')} of 60 before it`);
  });

  test('reject background pages, too, when they are closed', async () => {
    const workers = new PageWorkers();
    const reading = Array.from({ length: 20 }, () =>
      workers.pack({ ...page('', { length: 1000 }), keep: true }, 'a', never),
    );
    const all = Promise.allSettled(reading);
    await workers.close();
    for (const { status } of await all) assert.equal(status, 'rejected');
    await assert.rejects(
      workers.pack({ ...page('', { length: 1000 }), keep: true }, 'a', never),
      isCode('SHUTTING_DOWN'),
    );
  });
});
