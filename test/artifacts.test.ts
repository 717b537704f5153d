import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { createTeam } from '../src/team/teams.ts';
import { ARTIFACT_PLACES, type ArtifactPlace, withStoreAt } from './support/artifact-places.ts';
import { artifactStages, fetchFile, filesOf, HOUR, refusedFile } from './support/artifact-stages.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { foundBelow, valuesIn } from './support/marked-files.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const MB = 1024 * 1024;

const site = await shared(startSite());
const page = site.page('/', html('<h1>Start</h1><a href="/second">Second</a>'));
site.page('/second', html('<h1>Second</h1>'));

/** Removes what is over its time after so many milliseconds more. */
function sweepLater(place: ArtifactPlace, ms: number, limits: { resultBytes?: number } = {}): Promise<void> {
  return withStoreAt(place, async (store) => {
    const errors: unknown[] = [];
    while (await store.sweep({ now: Date.now() + ms, cacheBytes: 1e12, ...limits }, (error) => errors.push(error)));
    assert.deepEqual(errors, []);
  });
}

async function assertNothingLeft(place: ArtifactPlace): Promise<void> {
  assert.deepEqual(await rowsIn(place.options, 'select id from artifacts'), []);
  assert.deepEqual(await place.keptIds(), []);
}

for (const { name, skip, create } of ARTIFACT_PLACES) {
  describe(`artifacts in ${name}`, { skip }, () => {
    test('of a scrape stand at the address that the document names, without a key', async () => {
      await using place = await create();
      const large = randomBytes(3 * MB + 17);
      const stages = artifactStages({}, { type: 'application/pdf', bytes: large }, { bytes: Buffer.alloc(0) });
      await using trawl = await startTrawl(place.settings, { stages });
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

    test('of a job stand where its caller reached the service, whichever process works on it', async () => {
      await using place = await create();
      const stages = artifactStages({});
      await using trawl = await startTrawl(place.settings, { stages, works: false });
      await using worker = await startTrawl(place.settings, { stages });
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

    test('are given to nobody without their own signature', async () => {
      await using place = await create();
      await using trawl = await startTrawl(place.settings, { stages: artifactStages({}, {}) });
      const { key } = await withStoreAt(place, (store) => createTeam(store, 'others', 'unlimited'));
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

    test('are gone with their time, and their bytes with the next sweep', async () => {
      await using place = await create();
      await using trawl = await startTrawl(place.settings, {
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
      assert.equal((await place.keptIds()).length, 2);
      await sweepLater(place, HOUR + 1_000);
      assert.deepEqual(await place.keptIds(), [new URL(long).pathname.split('/').at(-1)]);
      assert.deepEqual(await refusedFile(short), { status: 404, code: 'NOT_FOUND' });
      await sweepLater(place, 2 * HOUR + 1_000);
      await assertNothingLeft(place);
    });

    test('count towards the room for results: the team that has more than its share gives up its oldest', async () => {
      await using place = await create();
      await using trawl = await startTrawl(place.settings, { stages: artifactStages({ bytes: randomBytes(MB) }) });
      const { key } = await withStoreAt(place, (store) => createTeam(store, 'others', 'unlimited'));
      const [small = ''] = filesOf(await trawl.scrape(page, {}, { key }));
      const large: string[] = [];
      for (let count = 0; count < 4; count++) large.push(...filesOf(await trawl.scrape(page)));
      await sweepLater(place, 0, { resultBytes: 3.5 * MB });
      const status = async (address: string) => (await fetchFile(address)).status;
      assert.deepEqual(await Promise.all([small, ...large].map(status)), [200, 404, 404, 200, 200]);
      assert.equal((await place.keptIds()).length, 3);
    });

    test('are deleted with their team, and with nobody else', async () => {
      await using place = await create();
      await using trawl = await startTrawl(place.settings, { stages: artifactStages({}) });
      const { key, team } = await withStoreAt(place, async (store) => {
        const made = await createTeam(store, 'others', 'unlimited');
        const teams = await store.teams.list();
        return { ...made, team: teams.find((one) => one.name === 'others') ?? assert.fail() };
      });
      const [theirs = ''] = filesOf(await trawl.scrape(page, {}, { key }));
      const [ours = ''] = filesOf(await trawl.scrape(page));
      await withStoreAt(place, async (store) => {
        assert.ok((await store.teams.measure(team.id)).resultBytes >= 9);
        await store.teams.markDeleted(team.id, Date.now());
        while ((await store.teams.deleteSome(team.id, Date.now())) === 'more');
        assert.equal(await store.teams.find(team.id), null);
      });
      assert.deepEqual(await refusedFile(theirs), { status: 404, code: 'NOT_FOUND' });
      assert.equal((await fetchFile(ours)).status, 200);
      assert.equal((await place.keptIds()).length, 1);
    });

    test('of a scrape with zero data retention can be fetched for an hour, and are nowhere in clear', async () => {
      await using place = await create();
      const mark = 'quokka '.repeat(300_000);
      const stages = artifactStages({ bytes: Buffer.from(mark), keepMs: 24 * HOUR });
      await using trawl = await startTrawl(place.settings, { stages });
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
        assert.ok(!(await valuesIn(place.options)).includes(key), 'the key is in the address alone');
      }
      assert.equal((await place.keptIds()).length, 2);
      assert.ok(!(await valuesIn(place.options)).includes('quokka'));
      assert.deepEqual(await foundBelow(place.options.dataDir, ['quokka']), []);
      await sweepLater(place, HOUR + 1_000);
      await assertNothingLeft(place);
      // This is how they would be found.
      await trawl.scrape(page);
      const found = (await valuesIn(place.options)).includes('quokka');
      assert.ok(found || (await place.holds('quokka')));
    });

    test('that a browser could run as a page are saved and not shown', async () => {
      await using place = await create();
      const types = [
        'text/html',
        'image/svg+xml',
        'application/xml',
        'application/xhtml+xml',
        'application/octet-stream',
      ];
      const stages = artifactStages(...types.map((type) => ({ type, bytes: Buffer.from('<script>') })));
      await using trawl = await startTrawl(
        { ...place.settings, TRAWL_BASE_URL: 'https://trawl.example/base/' },
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

    test('that are too large or too many are refused before any of them is kept', async () => {
      await using place = await create();
      const large = Buffer.alloc(50 * MB);
      for (const given of [
        [{}, { bytes: Buffer.alloc(50 * MB + 1) }],
        [{ bytes: large }, { bytes: large }, {}],
        Array.from({ length: 51 }, () => ({})),
      ]) {
        await using trawl = await startTrawl(place.settings, { stages: artifactStages(...given) });
        const { status, code } = await trawl.refusal({ url: page });
        assert.deepEqual({ status, code }, { status: 413, code: 'SCRAPE_PAGE_TOO_LARGE' });
      }
      await assertNothingLeft(place);
    });
  });
}
