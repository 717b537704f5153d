import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';
import { createTeam } from '../../src/team/teams.ts';
import { createDatabase, missingPostgres } from '../../test/support/postgres.ts';
import { startCommand } from '../../test/support/process.ts';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { waitForDisk } from '../wait-for-disk.ts';
import type { HostsReady } from './slow-server.ts';

const WORKERS = [1, 2, 4];
/** The site's response time per page. */
const PAGE_MS = 300;
/** Concurrent pages of one worker. It waits for the site, and with four workers two cores are not fully used. */
const SLOTS = 8;
/** Enough hosts that none gets more than 16 requests at a time. */
const HOSTS = 16;
/** One team has three quarters of a worker at the most and one job half, so it takes two of each to fill it. */
const TEAMS = 2;
const JOBS_OF_TEAM = 2;
/**
 * Times that each slot is filled before the measurement starts, so that code is compiled and workers are out of step: 8
 * s.
 */
const WARM_UP = 25;
/** And while it is measured: 30 s. */
const ROUNDS = 100;
const POLL_MS = 250;
/** The target: how far the rate can fall below linear scaling, in percent. */
const AIM = 10;

/**
 * Pages a second of 1, 2 and 4 workers beside an API on PostgreSQL, over sites that take 300 ms for a page: whether
 * work grows with the workers. Yields nothing without PostgreSQL.
 */
export async function* benchWorkers({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  if ((await missingPostgres()) !== undefined) return;
  const site = fork(join(import.meta.dirname, 'slow-server.ts'), [String(HOSTS), String(PAGE_MS)]);
  try {
    const [ready]: HostsReady[] = await once(site, 'message');
    if (ready === undefined) throw new Error('The server of pages did not start.');
    let one: number | undefined;
    for (const workers of quick ? WORKERS.slice(0, 2) : WORKERS) {
      const { rate, processors } = await rateOf(workers, ready.addresses, quick);
      one ??= rate;
      const name = `${workers} worker${workers === 1 ? '' : 's'}`;
      yield { name: `${name}: pages a second`, value: rate, unit: '/s' };
      yield { name: `${name}: processors busy, of ${cpus().length}`, value: processors, unit: '' };
      if (workers === 1) {
        yield { name: `${name}: of what the site allows`, value: (100 * rate * PAGE_MS) / (1000 * SLOTS), unit: '%' };
      } else {
        yield { name: `${name}: below linear`, value: 100 * (1 - rate / (one * workers)), unit: '%', aim: AIM };
      }
    }
  } finally {
    site.disconnect();
  }
}

/** Pages per second within batches too large to finish, and the CPU use of the whole machine meanwhile. */
async function rateOf(
  workers: number,
  hosts: readonly string[],
  quick: boolean,
): Promise<{ rate: number; processors: number }> {
  await using database = await createDatabase();
  await waitForDisk(database.url);
  await using service = await Service.start('api', database.url);
  const slots = workers * SLOTS;
  const [warmUp, rounds] = quick ? [1, 3] : [WARM_UP, ROUNDS];
  const teams = await makeTeams(database.url);
  // More than needed, because a finished batch gives no more work. A quick run is over in a second, and a busy machine
  // may look at it later than that.
  const spare = quick ? 50 : 2;
  const pages = Math.ceil((slots * spare * (warmUp + rounds)) / (TEAMS * JOBS_OF_TEAM));
  const starts = teams.flatMap((key) =>
    Array.from({ length: JOBS_OF_TEAM }, () => startBatch(service, key, hosts, pages)),
  );
  const jobs = await Promise.all(starts);
  const settings = { DATABASE_URL: database.url, TRAWL_WORKER_CONCURRENCY: String(SLOTS) };
  await using running = new AsyncDisposableStack();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      running.use(await startCommand(['worker'], settings, /Trawl works on jobs/));
    }),
  );
  const before = await progress(service, jobs, slots * warmUp);
  const after = await progress(service, jobs, before.pages + slots * rounds);
  const time = after.at - before.at;
  return { rate: (1000 * (after.pages - before.pages)) / time, processors: (after.busy - before.busy) / time };
}

/** CPU time of all cores together, in milliseconds. If they are the limit, more workers do not help. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/** Their keys. */
async function makeTeams(databaseUrl: string): Promise<string[]> {
  const store = await openStore({ databaseUrl, dataDir: 'unused' });
  try {
    const keys: string[] = [];
    for (let team = 0; team < TEAMS; team++) keys.push((await createTeam(store, `team ${team}`, 'unlimited')).key);
    return keys;
  } finally {
    await store.close();
  }
}

interface Job {
  id: string;
  key: string;
}

async function startBatch(service: Service, key: string, hosts: readonly string[], pages: number): Promise<Job> {
  const urls = Array.from({ length: pages }, (_, index) => `${hosts[index % hosts.length]}page-${index}`);
  const body = { urls, maxAge: 0, formats: ['markdown'] };
  const { id } = await service.call<{ id: string }>('POST', '/v2/batch/scrape', body, key);
  return { id, key };
}

/** Waits until this many pages are done, and returns the time and the actual count. */
async function progress(
  service: Service,
  jobs: readonly Job[],
  most: number,
): Promise<{ at: number; busy: number; pages: number }> {
  for (;;) {
    const pages = await completedOf(service, jobs);
    if (pages >= most) return { at: performance.now(), busy: busyTime(), pages };
    await wait(POLL_MS);
  }
}

/** Throws when one of the jobs has ended, because then workers were idle. */
async function completedOf(service: Service, jobs: readonly Job[]): Promise<number> {
  const answers = await Promise.all(
    jobs.map(({ id, key }) =>
      service.call<{ status: string; completed: number }>('GET', `/v2/batch/scrape/${id}?limit=1`, undefined, key),
    ),
  );
  const ended = answers.find(({ status }) => status !== 'scraping');
  if (ended !== undefined) throw new Error(`A batch is ${ended.status} already: it has too few pages.`);
  return answers.reduce((sum, { completed }) => sum + completed, 0);
}
