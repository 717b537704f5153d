import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { heldPage } from './support/held-page.ts';
import { runTrawl } from './support/process.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const site = await shared(startSite());
const page = site.page('/', html('<h1>Here</h1>'));

for (const { name, skip, create } of STORE_KINDS) {
  describe(`trawl teams delete in ${name}`, { skip }, () => {
    test('shows what will be deleted, then deletes it while the service runs and a job is in progress', async () => {
      await using trawl = await startTrawlOn(create());
      const run = (...args: string[]) => runTrawl(['teams', ...args], settingsOf(trawl.options));
      const key = (await run('create', 'acme')).stdout.trim();
      await trawl.scrape(page, {}, { key });
      await finishedBatch(trawl, (await startBatch(trawl, { urls: [page] }, { key })).id, { key });
      const held = heldPage(site, `/held-${name}`);
      await startBatch(trawl, { urls: [held.address, page], maxConcurrency: 1 }, { key });
      await held.reached;

      const shown = await run('delete', 'acme');
      assert.equal(shown.code, 2);
      assert.match(shown.stderr, /Nothing has been deleted\. Add --yes/);
      assert.match(shown.stdout, /^ {2}keys: 1$/m);
      assert.match(shown.stdout, /^ {2}jobs: 2, running: 1$/m);
      assert.match(shown.stdout, /^ {2}results: 2 \(/m);
      assert.match(shown.stdout, /^ {2}cached pages: 1 \(/m);
      assert.match(shown.stdout, /credits used: 2\n {2}calls in the activity log: 3/);
      await trawl.scrape(page, {}, { key });

      // The deletion waits for the page in progress, which ends when the key is refused.
      const deleting = run('delete', 'acme', '--yes');
      for (;;) {
        const { status } = await trawl.get('/v2/team/credit-usage', { key });
        if (status === 401) break;
        assert.equal(status, 200);
      }
      held.release();
      const { code, stdout, stderr } = await deleting;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^The team acme is deleted\.$/m);
      const teams = await rowsIn(trawl.options, 'select name from teams');
      assert.deepEqual(
        teams.map((team) => team.name),
        ['default'],
      );
      assert.deepEqual(await rowsIn(trawl.options, 'select url from pages'), []);
      assert.deepEqual(await rowsIn(trawl.options, 'select id from jobs'), []);
      assert.deepEqual(await rowsIn(trawl.options, 'select charge_key from charges'), []);
      // The service keeps working for other teams.
      await finishedBatch(trawl, (await startBatch(trawl, { urls: [page] })).id);
    });

    test('keeps the only team that has keys, and deletes the keyless team', async () => {
      await using trawl = await startTrawlOn(create(), { TRAWL_KEYLESS_PER_DAY: '5' });
      const run = (...args: string[]) => runTrawl(['teams', ...args], settingsOf(trawl.options));
      const last = await run('delete', 'default', '--yes');
      assert.equal(last.code, 1);
      assert.match(last.stderr, /This is the only team/);
      await trawl.scrape(page, {}, { key: null });
      const { code, stdout } = await run('delete', 'keyless', '--yes');
      assert.equal(code, 0);
      assert.match(stdout, /calls without a key\. They are refused until the service restarts/);
      assert.equal((await trawl.refusal({ url: page }, { key: null })).status, 401);
      await trawl.scrape(page);
      assert.equal((await run('delete', 'nobody')).code, 1);
    });
  });
}
