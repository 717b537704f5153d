import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { S3Keeper } from '../src/s3/s3-keeper.ts';
import type { Ticket } from '../src/store/artifacts/artifacts.ts';
import { openStore } from '../src/store/open-store.ts';
import { createTeam } from '../src/team/teams.ts';
import { ARTIFACT_LOCATIONS, type ArtifactLocation, withStoreAt } from './support/artifact-locations.ts';
import { artifactStages, fetchFile, filesOf, HOUR, refusedFile } from './support/artifact-stages.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { temporaryFolder } from './support/folder.ts';
import { foundBelow, valuesIn } from './support/marked-files.ts';
import { rowsIn } from './support/rows.ts';
import { startS3 } from './support/s3.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const MB = 1024 * 1024;
const PROCESS = join(import.meta.dirname, 'support', 'artifact-process.ts');

const site = await shared(startSite());
const page = site.page('/', html('<h1>Start</h1><a href="/second">Second</a>'));
site.page('/second', html('<h1>Second</h1>'));

/** Advances the clock by this many milliseconds and runs the sweep. */
function sweepLater(location: ArtifactLocation, ms: number, limits: { resultBytes?: number } = {}): Promise<void> {
  return withStoreAt(location, async (store) => {
    const errors: unknown[] = [];
    while (await store.sweep({ now: Date.now() + ms, cacheBytes: 1e12, ...limits }, (error) => errors.push(error)));
    assert.deepEqual(errors, []);
  });
}

async function assertNothingLeft(location: ArtifactLocation): Promise<void> {
  assert.deepEqual(await rowsIn(location.options, 'select id from artifacts'), []);
  assert.deepEqual(await location.keptIds(), []);
}

for (const { name, skip, create } of ARTIFACT_LOCATIONS) {
  describe(`artifacts in ${name}`, { skip }, () => {
    test('of a scrape are served without a key at the address in the document', async () => {
      await using location = await create();
      const large = randomBytes(3 * MB + 17);
      const stages = artifactStages({}, { type: 'application/pdf', bytes: large }, { bytes: Buffer.alloc(0) });
      await using trawl = await startTrawl(location.settings, { stages });
      const [picture = '', file = '', empty = ''] = filesOf(await trawl.scrape(page));
      assert.ok(picture.startsWith(`${trawl.address}/v2/artifacts/`));
      const { status, headers, bytes } = await fetchFile(picture);
      assert.equal(status, 200);
      assert.equal(bytes.toString(), 'a picture');
      assert.equal(headers.get('content-type'), 'image/png');
      assert.equal(headers.get('content-length'), '9');
      assert.match(headers.get('content-disposition') ?? '', /^inline; filename="[\w-]+\.png"$/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /\bsandbox$/);
      const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '') ?? [];
      assert.ok(Number(seconds) > 3_500 && Number(seconds) <= 3_600, seconds);
      assert.equal(headers.get('accept-ranges'), 'none');

      const saved = await fetchFile(file);
      assert.ok(saved.bytes.equals(large));
      assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.pdf"$/);
      assert.equal((await fetchFile(empty)).bytes.length, 0);

      const head = await fetch(file, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(large.length)]);
    });

    test('of a job are served at the address where its caller reached the service, whichever process did the work', async () => {
      await using location = await create();
      const stages = artifactStages({});
      await using trawl = await startTrawl(location.settings, { stages, works: false });
      await using worker = await startTrawl(location.settings, { stages });
      const { id } = await startBatch(trawl, { urls: [page] });
      const { data } = await finishedBatch(trawl, id);
      const found = await crawl(trawl, page, { sitemap: 'skip' });
      assert.deepEqual(found.paths, ['/', '/second']);
      for (const document of [await trawl.scrape(page, {}, { version: 'v1' }), ...data, ...found.data]) {
        const [address = ''] = filesOf(document);
        assert.ok(address.startsWith(`${trawl.address}/v2/artifacts/`), address);
        assert.equal((await fetchFile(address)).bytes.toString(), 'a picture');
        // All processes share the store and the secret.
        const elsewhere = address.replace(trawl.address, worker.address);
        assert.equal((await fetchFile(elsewhere)).bytes.toString(), 'a picture');
      }
    });

    test('are not served without their own signature', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings, { stages: artifactStages({}, {}) });
      const { key } = await withStoreAt(location, (store) => createTeam(store, 'others', 'unlimited'));
      const [one = '', two = ''] = filesOf(await trawl.scrape(page));
      const [other = ''] = filesOf(await trawl.scrape(page, {}, { key }));
      const changed = (from: string, change: (address: URL) => void) => {
        const address = new URL(from);
        change(address);
        return address.href;
      };
      const partOf = (address: string, part: string) => new URL(address).searchParams.get(part) ?? '';
      const forgeries = [
        changed(one, ({ searchParams }) => searchParams.delete('signature')),
        changed(one, ({ searchParams }) => searchParams.append('signature', partOf(one, 'signature'))),
        changed(one, ({ searchParams }) => searchParams.set('signature', `${partOf(one, 'signature').slice(0, -1)}é`)),
        changed(one, ({ searchParams }) => searchParams.set('signature', partOf(two, 'signature'))),
        changed(one, ({ searchParams }) => searchParams.set('signature', 'A'.repeat(43))),
        changed(one, ({ searchParams }) => searchParams.set('expires', String(Date.now() + 1e9))),
        changed(one, ({ searchParams }) => searchParams.set('team', partOf(other, 'team'))),
        changed(one, ({ searchParams }) => searchParams.set('key', 'A'.repeat(43))),
        changed(one, (address) => {
          address.pathname = new URL(two).pathname;
        }),
        changed(other, ({ searchParams }) => searchParams.set('team', partOf(one, 'team'))),
        changed(one, (address) => {
          address.search = '';
        }),
      ];
      for (const address of forgeries) {
        assert.deepEqual(await refusedFile(address), { status: 403, code: 'FORBIDDEN' }, address);
      }
      assert.notEqual(partOf(one, 'team'), partOf(other, 'team'));
      for (const address of [one, two, other]) assert.equal((await fetchFile(address)).status, 200);
    });

    test('expire, and the next sweep deletes their bytes', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings, {
        stages: artifactStages({ keepMs: HOUR }, { keepMs: 2 * HOUR }),
      });
      const [short = '', long = ''] = filesOf(await trawl.scrape(page));
      const restore = useClock(() => Date.now() + HOUR + 1_000);
      try {
        assert.deepEqual(await refusedFile(short), { status: 404, code: 'NOT_FOUND' });
        assert.equal((await fetchFile(long)).status, 200);
      } finally {
        restore();
      }
      assert.equal((await location.keptIds()).length, 2);
      await sweepLater(location, HOUR + 1_000);
      assert.deepEqual(await location.keptIds(), [new URL(long).pathname.split('/').at(-1)]);
      assert.deepEqual(await refusedFile(short), { status: 404, code: 'NOT_FOUND' });
      await sweepLater(location, 2 * HOUR + 1_000);
      await assertNothingLeft(location);
    });

    test('count towards the storage limit for results: a team over its share loses its oldest', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings, { stages: artifactStages({ bytes: randomBytes(MB) }) });
      const { key } = await withStoreAt(location, (store) => createTeam(store, 'others', 'unlimited'));
      const [small = ''] = filesOf(await trawl.scrape(page, {}, { key }));
      const large: string[] = [];
      for (let count = 0; count < 4; count++) large.push(...filesOf(await trawl.scrape(page)));
      await sweepLater(location, 0, { resultBytes: 3.5 * MB });
      const status = async (address: string) => (await fetchFile(address)).status;
      assert.deepEqual(await Promise.all([small, ...large].map(status)), [200, 404, 404, 200, 200]);
      assert.equal((await location.keptIds()).length, 3);
    });

    test('are deleted with their own team and no other', async () => {
      await using location = await create();
      await using trawl = await startTrawl(location.settings, { stages: artifactStages({}) });
      const { key, team } = await withStoreAt(location, async (store) => {
        const made = await createTeam(store, 'others', 'unlimited');
        const teams = await store.teams.list();
        return { ...made, team: teams.find((one) => one.name === 'others') ?? assert.fail() };
      });
      const [theirs = ''] = filesOf(await trawl.scrape(page, {}, { key }));
      const [ours = ''] = filesOf(await trawl.scrape(page));
      await withStoreAt(location, async (store) => {
        assert.ok((await store.teams.measure(team.id)).resultBytes >= 9);
        await store.teams.markDeleted(team.id, Date.now());
        while ((await store.teams.deleteSome(team.id, Date.now())) === 'more');
        assert.equal(await store.teams.find(team.id), null);
      });
      assert.deepEqual(await refusedFile(theirs), { status: 404, code: 'NOT_FOUND' });
      assert.equal((await fetchFile(ours)).status, 200);
      assert.equal((await location.keptIds()).length, 1);
    });

    test('of a scrape with zero data retention can be fetched for an hour and are stored only encrypted', async () => {
      await using location = await create();
      const mark = 'quokka '.repeat(300_000);
      const stages = artifactStages({ bytes: Buffer.from(mark), keepMs: 24 * HOUR });
      await using trawl = await startTrawl(location.settings, { stages });
      const zero = { zeroDataRetention: true };
      const { id } = await startBatch(trawl, { urls: [page], ...zero });
      const { data } = await finishedBatch(trawl, id);
      for (const document of [await trawl.scrape(page, zero), ...data]) {
        const [address = ''] = filesOf(document);
        const { bytes, headers } = await fetchFile(address);
        assert.equal(bytes.toString(), mark);
        assert.equal(headers.get('content-length'), String(mark.length));
        assert.equal(headers.get('cache-control'), 'private, no-store');
        const withoutKey = new URL(address);
        withoutKey.searchParams.delete('key');
        assert.equal((await refusedFile(withoutKey.href)).status, 403);
        const key = new URL(address).searchParams.get('key') ?? assert.fail();
        assert.ok(!(await valuesIn(location.options)).includes(key), 'the key is in the address alone');
      }
      assert.equal((await location.keptIds()).length, 2);
      assert.ok(!(await valuesIn(location.options)).includes('quokka'));
      assert.deepEqual(await foundBelow(location.options.dataDir, ['quokka']), []);
      await sweepLater(location, HOUR + 1_000);
      await assertNothingLeft(location);
      // Proves that the search would find them.
      await trawl.scrape(page);
      const found = (await valuesIn(location.options)).includes('quokka');
      assert.ok(found || (await location.holds('quokka')));
    });

    test('that a browser could run as a page are downloaded instead of displayed', async () => {
      await using location = await create();
      const types = [
        'text/html',
        'image/svg+xml',
        'application/xml',
        'application/xhtml+xml',
        'application/octet-stream',
      ];
      const stages = artifactStages(...types.map((type) => ({ type, bytes: Buffer.from('<script>') })));
      await using trawl = await startTrawl(
        { ...location.settings, TRAWL_BASE_URL: 'https://trawl.example/base/' },
        { stages },
      );
      const addresses = filesOf(await trawl.scrape(page));
      for (const [index, type] of types.entries()) {
        const address = addresses[index] ?? '';
        assert.ok(address.startsWith('https://trawl.example/base/v2/artifacts/'), address);
        const { headers } = await fetchFile(address.replace('https://trawl.example/base', trawl.address));
        assert.equal(headers.get('content-type'), type);
        assert.match(headers.get('content-disposition') ?? '', /^attachment; /);
        assert.match(headers.get('content-security-policy') ?? '', /\bsandbox$/);
      }
    });

    test('survive a killed process once acknowledged, and leave no other bytes behind', async () => {
      await using location = await create();
      const acknowledged: { ticket: Ticket; head: string }[] = [];
      const { keeper: _, ...options } = location.options;
      const args = [JSON.stringify(options), JSON.stringify(location.s3?.settings ?? null)];
      const writer = spawn(process.execPath, [PROCESS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const line of createInterface(writer.stdout)) {
        acknowledged.push(JSON.parse(line));
        if (acknowledged.length === 50) writer.kill('SIGKILL');
      }
      assert.ok(acknowledged.length >= 50);
      const pending = await rowsIn(location.options, 'select id from artifacts where kept_at is null');
      assert.ok(
        pending.length > 0,
        'it was killed between a row and its bytes, or between these and the word that they are there',
      );

      await sweepLater(location, 6 * 60_000);
      const rows = await rowsIn(location.options, 'select id, kept_at from artifacts');
      assert.deepEqual((await location.keptIds()).sort(), rows.map(({ id }) => String(id)).sort());
      assert.ok(rows.every((row) => row.kept_at !== null));
      await withStoreAt(location, async ({ artifacts }) => {
        for (const { ticket, head } of acknowledged) {
          const { size, bytes } = await artifacts.open(ticket);
          const read = await buffer(bytes);
          assert.deepEqual([read.length, read.toString('hex', 0, 16)], [size, head]);
        }
      });
      await sweepLater(location, 2 * HOUR);
      await assertNothingLeft(location);
    });

    test('can be abandoned mid-download without affecting other readers', async () => {
      await using location = await create();
      const stages = artifactStages({ bytes: randomBytes(20 * MB) });
      await using trawl = await startTrawl(location.settings, { stages });
      for (const zeroDataRetention of [false, true]) {
        const [address = ''] = filesOf(await trawl.scrape(page, { zeroDataRetention }));
        const response = await fetch(address);
        const reader = response.body?.getReader();
        assert.ok((await reader?.read())?.value?.length);
        await reader?.cancel();
        assert.equal((await fetchFile(address)).bytes.length, 20 * MB);
      }
    });

    test('that are too large or too many are refused before any is stored', async () => {
      await using location = await create();
      const large = Buffer.alloc(50 * MB);
      for (const given of [
        [{}, { bytes: Buffer.alloc(50 * MB + 1) }],
        [{ bytes: large }, { bytes: large }, {}],
        Array.from({ length: 51 }, () => ({})),
      ]) {
        await using trawl = await startTrawl(location.settings, { stages: artifactStages(...given) });
        const { status, code } = await trawl.refusal({ url: page });
        assert.deepEqual({ status, code }, { status: 413, code: 'SCRAPE_PAGE_TOO_LARGE' });
      }
      await assertNothingLeft(location);
    });
  });
}

test('a download in progress when the service stops is sent to the end and then delays nothing', async () => {
  const trawl = await startTrawl({}, { stages: artifactStages({ bytes: randomBytes(20 * MB) }) });
  const [address = ''] = filesOf(await trawl.scrape(page));
  const response = await fetch(address);
  const begun = performance.now();
  const stopped = trawl[Symbol.asyncDispose]();
  assert.equal((await response.arrayBuffer()).byteLength, 20 * MB);
  await stopped;
  assert.ok(performance.now() - begun < 20_000, 'a connection that is kept alive would be waited for, for 72 s');
});

describe('artifacts in an S3-compatible store', () => {
  const start = (environment: Record<string, string>) =>
    startTrawl(environment).then((trawl) => trawl[Symbol.asyncDispose]());

  test('with wrong settings stop the start with an error that names the setting', async () => {
    await using s3 = await startS3();
    const { environment } = s3;
    for (const [changed, message] of [
      [{ TRAWL_S3_BUCKET: 'nobodys' }, /answered 404 NoSuchBucket .*TRAWL_S3_BUCKET/],
      [{ TRAWL_S3_ACCESS_KEY: 'AKIAOTHER' }, /answered 403 InvalidAccessKeyId .*TRAWL_S3_ACCESS_KEY/],
      [{ TRAWL_S3_SECRET_KEY: 'other' }, /answered 403 SignatureDoesNotMatch .*TRAWL_S3_SECRET_KEY/],
      [{ TRAWL_S3_REGION: 'elsewhere' }, /answered 403 AuthorizationHeaderMalformed .*TRAWL_S3_REGION/],
      [{ TRAWL_S3_ENDPOINT: site.url('') }, /answered 404 .*TRAWL_S3_/],
      [{ TRAWL_S3_ENDPOINT: 'http://127.0.0.1:1' }, /cannot be reached: .*TRAWL_S3_ENDPOINT/],
      [{ TRAWL_S3_SECRET_KEY: '' }, /^TRAWL_S3_SECRET_KEY is missing: .* are needed together$/],
    ] as const) {
      await assert.rejects(start({ ...environment, ...changed }), { message });
    }
    await start(environment);
    assert.equal(s3.objects.size, 0);
  });

  test('are retried after a brief failure; during an outage the scrape fails and leaves nothing behind', async () => {
    await using s3 = await startS3();
    await using folder = await temporaryFolder();
    const settings = { TRAWL_DATA_DIR: folder.path, ...s3.environment };
    await using trawl = await startTrawl(settings, { stages: artifactStages({}) });
    const slowDown = { status: 503, code: 'SlowDown' };
    s3.failures.push(slowDown, slowDown);
    const [address = ''] = filesOf(await trawl.scrape(page));
    s3.failures.push(slowDown);
    assert.equal((await fetchFile(address)).bytes.toString(), 'a picture');

    s3.failures.push(slowDown, slowDown, slowDown);
    assert.deepEqual(await refusedFile(address), { status: 503, code: 'STORE_UNAVAILABLE' });
    s3.failures.push(slowDown, slowDown, slowDown);
    const { status, code, error } = await trawl.refusal({ url: page });
    assert.deepEqual({ status, code }, { status: 503, code: 'STORE_UNAVAILABLE' });
    assert.match(error, /answered 503 SlowDown/);

    // An unavailable bucket does not keep anything else from being swept.
    const sweepOnce = (errors: unknown[]) => {
      const store = openStore({ dataDir: folder.path, keeper: new S3Keeper(s3.settings) });
      return store.then(async (opened) => {
        await opened.sweep({ now: Date.now() + 25 * HOUR, cacheBytes: 1e12 }, (error) => errors.push(error));
        await opened.close();
      });
    };
    s3.failures.push(...Array.from({ length: 6 }, () => slowDown));
    const errors: unknown[] = [];
    await sweepOnce(errors);
    assert.match(String(errors), /answered 503 SlowDown/);
    assert.deepEqual(await rowsIn({ dataDir: folder.path }, 'select id from scrapes'), []);
    s3.failures.length = 0;
    await sweepOnce([]);
    assert.equal(s3.objects.size, 0);
    assert.deepEqual(await rowsIn({ dataDir: folder.path }, 'select id from artifacts'), []);
  });

  test('that were sealed are not served once they have been tampered with', async () => {
    await using s3 = await startS3();
    await using trawl = await startTrawl(s3.environment, { stages: artifactStages({ bytes: randomBytes(3 * MB) }) });
    const [address = ''] = filesOf(await trawl.scrape(page, { zeroDataRetention: true }));
    assert.equal((await fetchFile(address)).bytes.length, 3 * MB);
    const [object = Buffer.alloc(0)] = s3.objects.values();
    object[2 * MB] = (object[2 * MB] ?? 0) ^ 1;
    await assert.rejects(fetchFile(address));
  });
});
