import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import type { ScrapedDocument } from '../src/pages/document.ts';
import { DAY_MS } from '../src/store/operations/charges.ts';
import { bytes } from '../src/store/row.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import { heldPage } from './support/held-page.ts';
import { runTrawl, startProcess } from './support/process.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, replyWith, startSite } from './support/site.ts';
import { makeTeam } from './support/store-rows.ts';
import { openOwnStore, STORE_KINDS } from './support/stores.ts';
import { addTeam } from './support/team.ts';
import { startTrawl, type TrawlClient } from './support/trawl.ts';

/** What a browser keeps between the scrapes of a team. */

const site = await shared(startSite());
const trawl = await shared(startTrawl({ TRAWL_KEYLESS_PER_DAY: '10' }));

/** Says what the browser has of an earlier visit. */
const home = site.page('/home', (request, response) => {
  const script = `
    const out = document.querySelector('#out');
    const opened = indexedDB.open('shop', 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore('cart');
    opened.onsuccess = () => {
      const read = opened.result.transaction('cart').objectStore('cart').get('first');
      read.onsuccess = () => { out.textContent = 'Local: ' + localStorage.getItem('user') + '. Cart: ' + read.result?.name; };
    };`;
  const cookie = /session=\w+/.exec(request.headers.cookie ?? '')?.[0] ?? 'no session';
  replyWith(html(`<h1>Home</h1><p>Cookie: ${cookie}</p><p id="out"></p><script>${script}</script>`))(request, response);
});
/** A form that logs in: a cookie of the server, and storage of its script. */
const login = site.page(
  '/login',
  html(`<h1>Log in</h1><form action="/welcome"><input id="user" name="user"><button>Log in</button></form>`),
);
site.page('/welcome', (request, response) => {
  const user = new URLSearchParams(request.url?.split('?')[1]).get('user');
  const script = `
    localStorage.setItem('user', '${user}');
    const opened = indexedDB.open('shop', 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore('cart');
    opened.onsuccess = () => {
      const change = opened.result.transaction('cart', 'readwrite');
      change.objectStore('cart').put({ name: 'lamp of ${user}' }, 'first');
      change.oncomplete = () => { document.querySelector('h1').textContent = 'Welcome'; };
    };`;
  const headers = { 'set-cookie': `session=${user}; Path=/; HttpOnly` };
  replyWith({ headers, body: html(`<h1>Wait</h1><script>${script}</script>`) })(request, response);
});

const logIn = (user: string) => [
  { type: 'click', selector: '#user' },
  { type: 'write', text: user },
  { type: 'click', selector: 'button' },
  { type: 'wait', selector: 'h1' },
  {
    type: 'executeJavascript',
    script: `new Promise((done) => { const look = () => document.querySelector('h1')?.textContent === 'Welcome' ? done() : setTimeout(look, 10); look(); })`,
  },
];

const read = (name: string) => ({ profile: { name, saveChanges: false } });
const NOBODY = /Cookie: no session\s+Local: null\. Cart: undefined/;
const loggedIn = (user: string) => new RegExp(`Cookie: session=${user}\\s+Local: ${user}\\. Cart: lamp of ${user}`);

async function homeOf(client: TrawlClient, options: object, call: object = {}): Promise<string> {
  const { markdown }: ScrapedDocument = await client.scrape(home, options, call);
  return markdown ?? '';
}

describe('a profile', () => {
  test('keeps cookies, localStorage and IndexedDB for later scrapes, and for nobody else', async () => {
    await trawl.scrape(login, { profile: { name: 'ann' }, actions: logIn('ann') });
    assert.match(await homeOf(trawl, { profile: { name: 'ann' } }), loggedIn('ann'));
    // The scrape before saved what it began with.
    assert.match(await homeOf(trawl, read('ann')), loggedIn('ann'));
    assert.match(await homeOf(trawl, { waitFor: 1 }), NOBODY);
    assert.match(await homeOf(trawl, read('ben')), NOBODY);
    const key = await addTeam(trawl.dataDir, 'acme');
    assert.match(await homeOf(trawl, read('ann'), { key }), NOBODY);
  });

  test('stays as it was with saveChanges false, and when the scrape fails', async () => {
    await trawl.scrape(login, { profile: { name: 'carl' }, actions: logIn('carl') });
    await trawl.scrape(login, { ...read('carl'), actions: logIn('dora') });
    assert.match(await homeOf(trawl, read('carl')), loggedIn('carl'));
    const actions = [...logIn('dora'), { type: 'executeJavascript', script: 'throw new Error()' }];
    const { code } = await trawl.refusal({ url: login, profile: { name: 'carl' }, actions });
    assert.equal(code, 'SCRAPE_ACTION_ERROR');
    assert.match(await homeOf(trawl, { profile: { name: 'carl' } }), loggedIn('carl'));
  });

  test('is neither served from the cache nor stored in it', async () => {
    const page = site.page('/counted', html('<h1>Counted</h1>'));
    const count = () => site.requests.filter(({ path }) => path === '/counted').length;
    await trawl.scrape(page);
    for (const options of [read('eve'), read('eve'), {}]) await trawl.scrape(page, options);
    assert.equal(count(), 3);
  });

  test('keeps the cookies of several origins, and replaces what a page deletes', async () => {
    await using other = await startSite();
    const leave = other.page('/leave', html(`<h1>Left</h1><script>localStorage.setItem('other', 'kept')</script>`));
    const look = other.page(
      '/look',
      html(
        `<h1></h1><script>document.querySelector('h1').textContent = 'Other: ' + localStorage.getItem('other')</script>`,
      ),
    );
    const profile = { name: 'fay' };
    await trawl.scrape(login, { profile, actions: logIn('fay') });
    await trawl.scrape(leave, { profile });
    assert.match((await trawl.scrape(look, read('fay'))).markdown ?? '', /Other: kept/);
    assert.match(await homeOf(trawl, read('fay')), loggedIn('fay'));
    const script = `localStorage.clear(); document.cookie = 'note=1'; new Promise((done) => { indexedDB.deleteDatabase('shop').onsuccess = () => done(1) })`;
    await trawl.scrape(login, { profile, actions: [{ type: 'executeJavascript', script }] });
    assert.match(await homeOf(trawl, read('fay')), /Cookie: session=fay\s+Local: null\. Cart: undefined/);
  });

  test('is read by batches', async () => {
    await trawl.scrape(login, { profile: { name: 'gus' }, actions: logIn('gus') });
    const { id } = await startBatch(trawl, { urls: [home], ...read('gus') });
    const { data } = await finishedBatch(trawl, id);
    assert.match(data[0]?.markdown ?? '', loggedIn('gus'));
  });
});

describe('one writer at a time', () => {
  test('a second one is a 409, readers and other profiles are not held up', async () => {
    const held = heldPage(site, '/held-profile');
    const profile = { name: 'hal' };
    const first = trawl.scrape(held.address, { profile });
    await held.reached;
    const { status, code, error } = await trawl.refusal({ url: home, profile });
    assert.deepEqual({ status, code }, { status: 409, code: 'CONFLICT' });
    assert.match(error, /"hal".*"saveChanges": false/);
    assert.match(await homeOf(trawl, read('hal')), NOBODY);
    assert.match(await homeOf(trawl, { profile: { name: 'ida' } }), NOBODY);
    held.release();
    await first;
    assert.match(await homeOf(trawl, { profile }), NOBODY);
  });
});

describe('refused', () => {
  const REFUSED: [string, object, RegExp][] = [
    ['a name that is too long', { profile: { name: 'x'.repeat(129) } }, /128/],
    ['an empty name', { profile: { name: '' } }, /name/],
    ['a control character in the name', { profile: { name: 'a\0' } }, /control/],
    ['an unknown field', { profile: { name: 'a', keep: true } }, /keep/],
    ['saving with zero data retention', { profile: { name: 'a' }, zeroDataRetention: true }, /zeroDataRetention/],
    ['a page from the cache', { ...read('a'), lockdown: true }, /lockdown/],
  ];
  for (const [what, options, says] of REFUSED) {
    test(what, async () => {
      const { status, code, error, details } = await trawl.refusal({ url: home, ...options });
      assert.deepEqual({ status, code }, { status: 400, code: 'BAD_REQUEST' });
      assert.match(error + JSON.stringify(details), says);
    });
  }

  test('saving from a batch or a crawl', async () => {
    const bodies = {
      '/v2/batch/scrape': { urls: [home], profile: { name: 'a' } },
      '/v2/crawl': { url: home, scrapeOptions: { profile: { name: 'a' } } },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, body: answer } = await trawl.post(path, body);
      assert.equal(status, 400, path);
      assert.match(JSON.stringify(answer), /saveChanges/);
    }
  });

  test('a caller without a key', async () => {
    const { status, code, error } = await trawl.refusal({ url: home, ...read('a') }, { key: null });
    assert.deepEqual({ status, code }, { status: 403, code: 'FORBIDDEN' });
    assert.match(error, /"profile" needs an API key/);
  });

  test('a file, which only a plain fetch could get', async () => {
    const headers = { 'content-type': 'application/pdf' };
    const { code } = await trawl.refusal({ url: site.page('/file.pdf', { headers, body: '%PDF-1.7' }), ...read('a') });
    assert.equal(code, 'SCRAPE_UNSUPPORTED_FILE_ERROR');
  });

  test('a state of more than 5 MB; the profile stays as it was', async () => {
    const profile = { name: 'jo' };
    await trawl.scrape(login, { profile, actions: logIn('jo') });
    const fill = (script: string) => site.page('/fill', html(`<h1>Full</h1><script>${script}</script>`));
    const actions = [{ type: 'executeJavascript', script: 'Promise.resolve(window.filled).then(() => 1)' }];
    for (const [script, says] of [
      [`localStorage.setItem('big', '${'\u00e4'}'.repeat(4_000_000))`, /would take 8\.\d MB/],
      [
        `window.filled = new Promise((done) => {
        const opened = indexedDB.open('big');
        opened.onupgradeneeded = () => opened.result.createObjectStore('all');
        opened.onsuccess = () => {
          const change = opened.result.transaction('all', 'readwrite');
          const bytes = () => crypto.getRandomValues(new Uint8Array(65_536));
          for (let at = 0; at < 500; at++) change.objectStore('all').put(bytes(), at);
          change.oncomplete = () => done();
        };
      })`,
        /IndexedDB has 3\d MB/,
      ],
    ] as const) {
      const { status, code, error } = await trawl.refusal({ url: fill(script), profile, actions });
      assert.deepEqual({ status, code }, { status: 413, code: 'SCRAPE_PAGE_TOO_LARGE' });
      assert.match(error, says);
      assert.match(error, /may take 5 MB/);
    }
    assert.match(await homeOf(trawl, read('jo')), loggedIn('jo'));
  });
});

for (const { name, skip, create } of STORE_KINDS) {
  describe(`profiles in ${name}`, { skip }, () => {
    test('outlast the service, are encrypted, and are deleted with their team', async () => {
      await using location = await create();
      const settings = settingsOf(location.options);
      let key: string;
      {
        await using first = await startTrawl(settings);
        key = (await runTrawl(['teams', 'create', 'acme'], settings)).stdout.trim();
        await first.scrape(login, { profile: { name: 'kim' }, actions: logIn('kim') }, { key });
      }
      const rows = await rowsIn(location.options, 'select state from browser_profiles');
      assert.equal(rows.length, 1);
      assert.doesNotMatch(Buffer.from(bytes(rows[0]?.state)).toString('latin1'), /session|kim/);
      await using second = await startTrawl(settings);
      assert.match(await homeOf(second, read('kim'), { key }), loggedIn('kim'));
      const { code, stderr } = await runTrawl(['teams', 'delete', 'acme', '--yes'], settings);
      assert.equal(code, 0, stderr);
      assert.deepEqual(await rowsIn(location.options, 'select name from browser_profiles'), []);
    });

    test('have one writer, until its lock is released or expires', async () => {
      await using own = await openOwnStore({ create });
      const { teamId: team } = await makeTeam(own.store);
      const { teamId: other } = await makeTeam(own.store);
      const { profiles } = own.store;
      const mine = { teamId: team, name: 'mine' };
      const first = await profiles.lock(mine, 1000);
      await assert.rejects(profiles.lock(mine, 1000), { code: 'CONFLICT' });
      await profiles.lock({ ...mine, teamId: other }, 1000);
      assert.equal(await profiles.read(mine), undefined);
      await profiles.save(first, '{"a":1}');
      await profiles.release(first);
      const second = await profiles.lock(mine, 1000);
      const later = Date.now() + 2000;
      const restore = useClock(() => later);
      try {
        const third = await profiles.lock(mine, 1000);
        await assert.rejects(profiles.save(second, '{"a":2}'), { code: 'CONFLICT' });
        await profiles.release(second);
        await assert.rejects(profiles.lock(mine, 1000), { code: 'CONFLICT' });
        await profiles.save(third, '{"a":3}');
      } finally {
        restore();
      }
      assert.equal(await profiles.read(mine), '{"a":3}');
      assert.equal(await profiles.read({ ...mine, teamId: other }), undefined);
    });

    test('are 100 in each team at most, and are removed when they have not been used for long', async () => {
      await using own = await openOwnStore({ create });
      const { teamId } = await makeTeam(own.store);
      const { teamId: other } = await makeTeam(own.store);
      const { profiles } = own.store;
      // Locks of processes that were killed do not count once they have expired.
      for (let each = 0; each < 10; each++) await profiles.lock({ teamId, name: `killed ${each}` }, -1);
      const locks = await Promise.allSettled(
        Array.from({ length: 110 }, (_, each) => profiles.lock({ teamId, name: `${each}` }, DAY_MS)),
      );
      const made = locks.flatMap((lock) => (lock.status === 'fulfilled' ? [lock.value] : []));
      assert.equal(made.length, 100);
      for (const lock of made) await profiles.save(lock, '{}');
      for (const lock of made) await profiles.release(lock);
      await assert.rejects(profiles.lock({ teamId, name: 'one more' }, DAY_MS), { code: 'FORBIDDEN', message: /100/ });
      await profiles.lock({ teamId: other, name: 'one more' }, DAY_MS);
      const [used] = made;
      assert.ok(used);
      const tenDays = Date.now() + 10 * DAY_MS;
      const restore = useClock(() => tenDays);
      try {
        assert.equal(await profiles.read(used), '{}');
        while (await own.store.sweep({ now: tenDays, cacheBytes: 1e9, activityMs: 9 * DAY_MS }));
      } finally {
        restore();
      }
      const left = await rowsIn(own.options, 'select name from browser_profiles');
      assert.deepEqual(
        left.map((row) => row.name),
        [used.name],
      );
    });
  });
}

test('a writer that is killed holds its profile no longer than its lock', async () => {
  await using folder = await temporaryFolder();
  const settings = { TRAWL_DATA_DIR: folder.path };
  const held = heldPage(site, '/killed-profile');
  const request = { url: held.address, profile: { name: 'lea' }, timeout: 1000 };
  {
    await using killed = await startProcess(settings);
    killed.post('/v2/scrape', { ...request, timeout: 60_000 }).catch(() => {});
    await held.reached;
    await killed.stop('SIGKILL');
  }
  await using next = await startTrawl(settings);
  assert.equal((await next.refusal(request)).code, 'CONFLICT');
  const later = Date.now() + 71_000;
  const restore = useClock(() => later);
  try {
    held.release();
    await next.scrape(home, { profile: { name: 'lea' } });
  } finally {
    restore();
  }
});
