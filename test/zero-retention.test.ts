import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesBelow, valuesBelow } from './support/data-directory.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl, type Trawl } from './support/trawl.ts';

const site = await shared(startSite());

/** The data directory of a closed service: the raw bytes, and every value decompressed. */
async function leftBehind(calls: (trawl: Trawl) => Promise<unknown>): Promise<string> {
  await using folder = await temporaryFolder();
  {
    await using trawl = await startTrawl({ TRAWL_DATA_DIR: folder.path });
    await calls(trawl);
  }
  return (await bytesBelow(folder.path)) + (await valuesBelow(folder.path));
}

const words = 'Quokkas nibble on pandanus leaves at dusk';
const page = site.page('/quokka', html(`<h1>Rottnest</h1><p>${words}.</p>`));

describe('zeroDataRetention', () => {
  test('without it the page, its address and the request are stored and can be found', async () => {
    const left = await leftBehind((trawl) => trawl.scrape(page, { excludeTags: ['.wombat'] }));
    for (const trace of [words, 'Rottnest', page, 'wombat']) assert.ok(left.includes(trace), trace);
  });

  for (const version of ['v1', 'v2']) {
    test(`leaves nothing of the page, its address or the request behind in ${version}`, async () => {
      const options = { zeroDataRetention: true, excludeTags: ['.wombat'], headers: { 'x-visitor': 'numbat' } };
      let id = '';
      const left = await leftBehind(async (trawl) => {
        const { markdown, metadata } = await trawl.scrape(page, options, { version });
        assert.ok(markdown?.includes(words));
        id = metadata.scrapeId;
      });
      for (const trace of [words, 'Rottnest', 'quokka', new URL(page).host, 'wombat', 'numbat']) {
        assert.ok(!left.includes(trace), trace);
      }
      assert.ok(left.includes(id), 'that there was a scrape is on record');
    });
  }

  test('leaves nothing behind when the scrape fails', async () => {
    const left = await leftBehind(async (trawl) => {
      await trawl.refusal({ url: 'http://wombat.invalid/quokka', zeroDataRetention: true });
      await trawl.refusal({ url: site.page('/wombat', hostile.hangUp), zeroDataRetention: true });
      await trawl.refusal({ url: 'http://10.0.0.1/wombat', zeroDataRetention: true });
    });
    for (const trace of ['wombat', 'quokka', new URL(page).host, '10.0.0.1']) assert.ok(!left.includes(trace), trace);
  });

  test('costs one more credit, and its result cannot be read again', async () => {
    await using trawl = await startTrawl();
    const { metadata } = await trawl.scrape(page, { zeroDataRetention: true });
    assert.equal(metadata.creditsUsed, 2);
    const { status } = await trawl.get(`/v2/scrape/${metadata.scrapeId}`);
    assert.equal(status, 404);
  });

  test('keeps no copy in the cache', async () => {
    await using trawl = await startTrawl();
    await trawl.scrape(page, { zeroDataRetention: true });
    const { metadata } = await trawl.scrape(page);
    assert.equal(metadata.cacheState, 'miss');
  });
});
