import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch, newCharge } from '../../test/support/store-rows.ts';
import { STORE_KINDS, type StoreKind } from '../../test/support/stores.ts';
import { now } from '../clock.ts';
import { compress } from '../store/compression.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import { openStore } from '../store/open-store.ts';
import type { TaskCompletion } from '../store/operations/jobs/complete-tasks.ts';
import type { Store } from '../store/store.ts';
import { StoreAway } from '../store/store-away.ts';
import { Lease } from './lease.ts';
import type { JobTask, RunTask, TaskOutcome } from './task.ts';
import { Worker } from './worker.ts';

const PAGES = 20;
/** The address of the page that the store refuses. */
const POISON = 'http://site.test/7';

interface StartedJob {
  id: string;
  teamId: string;
  keyId: string;
}

/** A store with one job for each of two teams. */
async function openJobs({ create }: StoreKind) {
  const place = await create();
  const store = await openStore(place.options);
  const jobs = [await startJob(store), await startJob(store)] as const;
  return {
    store,
    jobs,
    /** Waits for the end of a job. Returns it with its failures. */
    async ended({ teamId, id }: StartedJob) {
      for (;;) {
        const job = await store.jobs.find(teamId, 'batch', id);
        assert.ok(job);
        if (job.status !== 'scraping') {
          const failures = await store.jobs.failedTasks(job, { after: null, skip: 0, limit: 100 });
          return { ...job, failures };
        }
        await sleep(5);
      }
    },
    rows: (query: string) => rowsIn(place.options, query),
    async [Symbol.asyncDispose]() {
      await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

async function startJob(store: Store): Promise<StartedJob> {
  const owner = await makeTeam(store);
  const pages = Array.from({ length: PAGES }, (_, index) => {
    return { key: null, payload: `http://site.test/${index}`, host: 'site.test', depth: 0 };
  });
  const batch = newBatch(owner, pages, { keepMs: 60_000 });
  const answer = await store.jobs.start(batch);
  assert.equal(answer.type, 'accepted');
  return { id: batch.job.id, teamId: owner.teamId, keyId: owner.keyId };
}

function chargeFor({ job, key }: JobTask, credits: number) {
  const owner = { teamId: job.teamId, keyId: job.keyId };
  return newCharge(owner, { key: `page:${job.id}:${key}`, capability: 'batch', jobId: job.id, credits });
}

async function scraped(page: JobTask): Promise<Extract<TaskOutcome, { type: 'done' }>> {
  const document = await compress(JSON.stringify({ markdown: page.payload }));
  return { type: 'done', document, charge: chargeFor(page, 1), found: [] };
}

function startWorker(store: Store, run: RunTask) {
  const errors: { error: unknown; what: string }[] = [];
  const worker = new Worker({
    store,
    kinds: new Map([['batch', run]]),
    slots: 16,
    fullTeams: () => [],
    fullJobs: () => [],
    concurrency: async () => ({ unlimited: null }),
    onStored: () => {},
    onError: (error, what) => errors.push({ error, what }),
  });
  return { worker, errors };
}

/** A store in which `refuse` can reject completions by throwing. */
function refusing(store: Store, refuse: (completion: TaskCompletion) => void): Store {
  const complete = async (completion: TaskCompletion) => {
    refuse(completion);
    await store.jobs.complete(completion);
  };
  return { ...store, jobs: { ...store.jobs, complete } };
}

/** Keys of the pages at the refused address, in all jobs. */
async function poisonKeys(rows: (query: string) => Promise<Record<string, unknown>[]>, job?: number) {
  const found = await rows(`select task_key from job_tasks where payload = '${POISON}' and job = ${job ?? 'job'}`);
  return new Set(found.map((row) => String(row.task_key)));
}

for (const kind of STORE_KINDS) {
  describe(`a permanent refusal by ${kind.name}`, { skip: kind.skip }, () => {
    for (const [what, spoil] of [
      // Refused by the databases themselves, each for its own reason.
      ['a fractional charge', (page) => ({ charge: chargeFor(page, 0.5) })],
      ['a charge without a team', (page) => ({ charge: { ...chargeFor(page, 1), teamId: 'nobody' } })],
    ] satisfies [string, (page: JobTask) => Partial<TaskOutcome>][]) {
      test(`fails only its page, with the reason, if it concerns ${what}`, async () => {
        await using on = await openJobs(kind);
        const run: RunTask = async (page) => {
          return { ...(await scraped(page)), ...(page.payload === POISON ? spoil(page) : {}) };
        };
        const { worker, errors } = startWorker(on.store, run);
        await worker.start();
        for (const job of on.jobs) {
          const { status, completed, credits, failures } = await on.ended(job);
          assert.deepEqual([status, completed, credits], ['completed', PAGES - 1, PAGES - 1]);
          assert.deepEqual(
            failures.map(({ payload, code }) => [payload, code]),
            [[POISON, 'INTERNAL_ERROR']],
          );
          assert.match(failures[0]?.message ?? '', /^The result could not be stored: .{10}/);
        }
        await worker.close();
        const [{ charges } = {}] = await on.rows('select cast(count(*) as text) as charges from charges');
        assert.equal(charges, String(2 * (PAGES - 1)));
        const [{ lost } = {}] = await on.rows('select cast(sum(losses + attempts) as text) as lost from job_tasks');
        assert.equal(lost, '0', 'no page has used up a try');
        const [{ open } = {}] = await on.rows('select cast(sum(waiting + running) as text) as open from job_teams');
        assert.equal(open, '0');
        assert.ok(errors.length > 0 && errors.every(({ error }) => error instanceof ConstraintError));
      });
    }

    test('drops only the pace of a host, and fails no page for it', async () => {
      await using on = await openJobs(kind);
      const visits = new Map<string, number>();
      const run: RunTask = async (page) => {
        const visit = `${page.job.job} ${page.payload}`;
        visits.set(visit, (visits.get(visit) ?? 0) + 1);
        return visits.get(visit) === 1 && page.payload === POISON
          ? { type: 'slow down', agent: '*', delay: 333.3 }
          : scraped(page);
      };
      const { worker, errors } = startWorker(on.store, run);
      await worker.start();
      for (const job of on.jobs) {
        const { completed, failures } = await on.ended(job);
        assert.deepEqual([completed, failures], [PAGES, []]);
      }
      await worker.close();
      assert.deepEqual(await on.rows('select host from robots_paces'), []);
      assert.ok(errors.some(({ what }) => /refused the pace of #/.test(what)));
    });

    for (const [what, refusal, reason] of [
      ['with a reason', new ConstraintError('value', 'too long'), /too long/],
      ['for an unknown reason', new Error('secret'), /something went wrong inside the service/],
    ] as const) {
      test(`fails only the page whose result is refused ${what}`, async () => {
        await using on = await openJobs(kind);
        const keys = await poisonKeys(on.rows);
        const store = refusing(on.store, ({ ended }) => {
          if (ended.some(({ key, end }) => keys.has(key) && end.type === 'done')) throw refusal;
        });
        const { worker } = startWorker(store, scraped);
        await worker.start();
        for (const job of on.jobs) {
          const { completed, credits, failures } = await on.ended(job);
          assert.deepEqual([completed, credits, failures.length], [PAGES - 1, PAGES - 1, 1]);
          assert.match(failures[0]?.message ?? '', reason);
        }
        await worker.close();
      });
    }

    test('leaves a page leased when even its failure is refused: everything else continues, and the worker closes', async () => {
      await using on = await openJobs(kind);
      const [, innocent] = on.jobs;
      const [{ number } = {}] = await on.rows('select number from jobs order by number');
      const keys = await poisonKeys(on.rows, Number(number));
      let tries = 0;
      const store = refusing(on.store, ({ ended }) => {
        if (!ended.some(({ job, key }) => job === Number(number) && keys.has(key))) return;
        tries += 1;
        throw new ConstraintError('value', 'never');
      });
      const { worker, errors } = startWorker(store, scraped);
      await worker.start();
      assert.equal((await on.ended(innocent)).completed, PAGES);
      const left = async () =>
        Number((await on.rows('select cast(sum(running + waiting) as text) as n from job_teams'))[0]?.n);
      while ((await left()) > 1) await sleep(5);
      await worker.close();
      assert.equal(tries, 3, 'once with others, once alone, once as a failure');
      assert.ok(errors.some(({ what }) => /leaving the task leased/.test(what)));
      const held = await on.rows(`select payload, losses from job_tasks where state = 1`);
      assert.deepEqual(
        held.map(({ payload, losses }) => [payload, Number(losses)]),
        [[POISON, 0]],
      );
    });

    test('does not keep a worker from claiming after a claim whose response was lost', async () => {
      await using on = await openJobs(kind);
      const keys = await poisonKeys(on.rows);
      let lost = false;
      const store = refusing(on.store, ({ ended }) => {
        if (ended.some(({ key, end }) => keys.has(key) && end.type === 'returned'))
          throw new ConstraintError('value', 'no');
      });
      const claim: Store['jobs']['claim'] = async (what) => {
        const pages = await on.store.jobs.claim(what);
        if (lost || !pages.some(({ key }) => keys.has(key))) return pages;
        lost = true;
        throw new StoreAway('The answer to the commit was lost.', { inDoubt: true });
      };
      const { worker } = startWorker({ ...store, jobs: { ...store.jobs, claim } }, scraped);
      await worker.start();
      const ends = [await on.ended(on.jobs[0]), await on.ended(on.jobs[1])];
      await worker.close();
      assert.ok(lost);
      assert.deepEqual(ends.map(({ completed }) => completed).sort(), [PAGES - 1, PAGES]);
    });

    test('does not keep the pages of other lost workers from being handed on', async () => {
      await using on = await openJobs(kind);
      const full = { teams: [], jobs: [] };
      const lose = async () => {
        const worker = await on.store.jobs.addWorker(now() - 1);
        const claim = { worker, limit: 16, at: now(), concurrency: { unlimited: null }, full };
        return [worker, await on.store.jobs.claim(claim)] as const;
      };
      const [[stuck, first], [, second]] = [await lose(), await lose()];
      const refused = first[0];
      assert.ok(refused && second.length > 0);
      let tries = 0;
      const store = refusing(on.store, ({ worker, ended }) => {
        if (worker !== stuck || !ended.some(({ key }) => key === refused.key)) return;
        tries += 1;
        throw new ConstraintError('value', 'never');
      });
      const lease = new Lease(store, () => {});
      await lease.start();
      const held = await on.rows('select task_key from job_tasks where state = 1');
      assert.deepEqual(
        held.map((row) => row.task_key),
        [refused.key],
      );
      assert.ok(tries <= 6, `${tries} tries in one beat`);
      await lease.end();
      const next = new Lease(on.store, () => {});
      await next.start();
      assert.deepEqual(await on.rows('select 1 from job_tasks where state = 1'), []);
      await next.end();
    });
  });
}
