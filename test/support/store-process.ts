import { openStore } from '../../src/store/open-store.ts';
import { firstStart } from '../../src/team/keys.ts';
import { makeTeam, newCopy, newScrape } from './store-rows.ts';

/**
 * A process that uses a store, for tests of several at once. Arguments: what to do, and the options of the store as
 * JSON. On standard output comes a line for each thing done:
 *   start   `made` or `found`: what a first start did; then it ends
 *   write   `TEAM ID` of each scrape whose record was acknowledged, without end; every fourth with a cached page of 100 KB
 */
const [task, options = ''] = process.argv.slice(2);
const store = await openStore(JSON.parse(options));

if (task === 'start') {
  const { key } = await firstStart(store);
  console.log(key === undefined ? 'found' : 'made');
  await store.close();
} else {
  const owner = await makeTeam(store);
  const body = new Uint8Array(100_000).fill(7);
  await Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      while (true) {
        const scrape = newScrape(owner);
        await store.scrapes.record(scrape);
        console.log(`${owner.teamId} ${scrape.id}`);
        if (worker % 4 === 0) await store.pages.put(owner.teamId, scrape.id, newCopy(body));
      }
    }),
  );
}
