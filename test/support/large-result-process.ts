import { createHash, randomBytes } from 'node:crypto';
import { now } from '../../src/clock.ts';
import { S3Keeper, type S3Settings } from '../../src/s3/s3-keeper.ts';
import { compress } from '../../src/store/compression.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeTeam, newBatch, newCharge, newScrape } from './store-rows.ts';

/**
 * A process that stores large results of scrapes and of a batch without end, to be killed. Arguments: options of the store
 * and settings of S3 as JSON. On standard output comes a line of JSON for each: first the team and the job, then the id and
 * the hash of each stored scrape, and the number of results of the job after each completion.
 */
export type LargeResultLine =
  | { teamId: string; job: string }
  | { scrape: string; hash: string }
  | { completed: number };

const [options = '', s3 = 'null'] = process.argv.slice(2);
const settings: S3Settings | null = JSON.parse(s3);
const store = await openStore({
  ...JSON.parse(options),
  keeper: settings === null ? undefined : new S3Keeper(settings),
});
const say = (line: LargeResultLine) => console.log(JSON.stringify(line));
const newText = () => randomBytes(300_000).toString('base64');

const owner = await makeTeam(store);
const tasks = Array.from({ length: 5_000 }, (_, index) => ({ key: null, payload: `${index}`, host: null, depth: 0 }));
const batch = newBatch(owner, tasks);
await store.jobs.start(batch);
say({ teamId: owner.teamId, job: batch.job.id });

async function scrapeOn(): Promise<never> {
  while (true) {
    const document = JSON.stringify(newText());
    const scrape = newScrape(owner, { document });
    await store.scrapes.record(scrape);
    say({ scrape: scrape.id, hash: createHash('sha256').update(document).digest('hex') });
  }
}

async function workOn(): Promise<never> {
  const worker = await store.jobs.addWorker(now() + 60_000);
  let completed = 0;
  while (true) {
    const full = { teams: [], jobs: [] };
    const claimed = await store.jobs.claim({
      ...{ worker, limit: 4, at: now(), full },
      concurrency: { unlimited: null },
    });
    const ended = await Promise.all(
      claimed.map(async (task) => {
        const document = await compress(JSON.stringify(newText()));
        return {
          ...task,
          end: { type: 'done' as const, tryId: task.key, document, charge: newCharge(owner), found: [] },
        };
      }),
    );
    await store.jobs.complete({ worker, at: now(), ended, hosts: [] });
    completed += ended.length;
    say({ completed });
  }
}

// So many that some are always between their bytes and their rows.
await Promise.all([workOn(), ...Array.from({ length: 16 }, scrapeOn)]);
