import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const site = await shared(startSite());
const page = (path: string) => site.page(path, html(`<h1>Page ${path}</h1><p>Words of ${path}.</p>`));

for (const { name, skip, create } of STORE_KINDS) {
  describe(`a batch in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));

    test('is answered at once, and gives every page in the end', async () => {
      const urls = Array.from({ length: 20 }, (_, index) => page(`/pages/${index}`));
      const { id, url } = await startBatch(trawl, { urls, maxAge: 0 });
      assert.equal(url, `${trawl.address}/v2/batch/scrape/${id}`);
      const done = await finishedBatch(trawl, id);
      assert.equal(done.status, 'completed');
      assert.deepEqual(
        { total: done.total, completed: done.completed, creditsUsed: done.creditsUsed },
        { total: 20, completed: 20, creditsUsed: 20 },
      );
      assert.deepEqual(done.data.map(({ metadata }) => metadata.sourceURL).sort(), urls.sort());
      for (const { markdown, metadata } of done.data) assert.ok(markdown?.includes(new URL(metadata.url).pathname));
    });
  });
}
