import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from './support/random.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { portOf } from './support/site.ts';
import { STORE_KINDS, type StoreLocation } from './support/stores.ts';
import type { TallyAnswer, TallyOrder } from './support/tally-process.ts';
import { KEY, TEST_SETTINGS } from './support/trawl.ts';

const KILLS = process.env.TRAWL_TEST_FULL === '1' ? 20 : 3;
const TEXTS = 300;

interface TallyStatus {
  status: string;
  creditsUsed: number;
  data: { text: string; letters: number }[];
  sum: { letters: number } | null;
  error?: string;
}

/** Processes with one additional kind of job, on one store. */
class Processes implements AsyncDisposable {
  readonly #location: StoreLocation;
  readonly #children: ChildProcess[] = [];
  #address = '';

  constructor(location: StoreLocation) {
    this.#location = location;
  }

  /** SQLite allows only one. */
  async start(count: number): Promise<void> {
    for (let which = 0; which < count; which++) await this.#startOne(which);
  }

  async kill(random: Random): Promise<void> {
    const which = random.below(this.#children.length);
    const child = this.#children[which];
    child?.kill('SIGKILL');
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await this.#startOne(which);
  }

  async order(order: TallyOrder): Promise<string> {
    const [child] = this.#children;
    assert.ok(child);
    child.send(order);
    const [answer]: TallyAnswer[] = await once(child, 'message');
    return answer !== undefined && 'id' in answer ? answer.id : '';
  }

  async get<Body>(path: string): Promise<Body> {
    const response = await fetch(this.#address + path, { headers: { authorization: `Bearer ${KEY}` } });
    assert.equal(response.status, 200, path);
    const body: Body = JSON.parse(await response.text());
    return body;
  }

  async status(id: string): Promise<TallyStatus> {
    const first = await this.get<TallyStatus>(`/v2/tally/${id}`);
    const rest = await this.get<TallyStatus>(`/v2/tally/${id}?skip=${first.data.length}`);
    return { ...first, data: [...first.data, ...rest.data] };
  }

  async ended(id: string): Promise<TallyStatus> {
    for (;;) {
      const status = await this.status(id);
      if (status.status !== 'scraping') return status;
      await sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }),
    );
  }

  async #startOne(which: number): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, ...TEST_SETTINGS, ...settingsOf(this.#location.options) };
    const child = fork(join(import.meta.dirname, 'support', 'tally-process.ts'), { env });
    this.#children[which] = child;
    const [answer]: TallyAnswer[] = await once(child, 'message');
    if (answer !== undefined && 'address' in answer) this.#address = answer.address;
  }
}

/** The events that a webhook received: each once, however often it arrived. */
async function startReceiver() {
  const told = new Map<string, { type: string; data: unknown[]; success: boolean; error?: string }>();
  const server = createServer(async (request, response) => {
    const event = JSON.parse(await text(request));
    told.set(event.webhookId, event);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    of: (type: string) => [...told.values()].filter((event) => event.type === type),
    async until(type: string, count: number) {
      while (this.of(type).length < count) await sleep(20);
      return this.of(type);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a kind of job that does no scraping', () => {
  for (const { name, skip, create } of STORE_KINDS) {
    test(`${name}: survives kill -9, with steps, a conclusion, failures and events`, {
      skip,
      timeout: 300_000,
    }, async () => {
      await using location = await create();
      await using receiver = await startReceiver();
      await using processes = new Processes(location);
      await processes.start(name === 'SQLite' ? 1 : 2);
      const random = new Random(13);
      const texts = Array.from({ length: TEXTS }, (_, index) =>
        index % 30 === 7 ? `${index} fails` : 'a'.repeat(index % 9),
      );
      const good = texts.filter((each) => !/\d/.test(each));
      const letters = good.join('').length;

      const id = await processes.order({ texts, webhook: receiver.url, key: 'of this job' });
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(random.below(200));
        await processes.kill(random);
      }
      assert.equal(
        await processes.order({ texts, webhook: receiver.url, key: 'of this job' }),
        id,
        'it is started once',
      );

      const job = await processes.ended(id);
      assert.deepEqual([job.status, job.sum, job.error], ['completed', { letters }, undefined]);
      assert.deepEqual(job.data.map((result) => result.text).sort(), [...good].sort());
      assert.equal(job.creditsUsed, 2 * good.length + 5);
      const [{ charged } = {}] = await rowsIn(
        location.options,
        'select cast(sum(credits) as text) as charged from charges',
      );
      assert.equal(charged, String(job.creditsUsed));
      const report = await processes.get<{ errors: { code: string; error: string }[] }>(`/v2/tally/${id}/errors`);
      assert.deepEqual(
        report.errors.map(({ error }) => error).sort(),
        texts
          .filter((each) => /\d/.test(each))
          .map((each) => `"${each}" has a digit in it.`)
          .sort(),
      );

      assert.deepEqual(
        (await receiver.until('tally.summed', 1)).map(({ data }) => data),
        [[{ letters }]],
      );
      await receiver.until('tally.completed', 1);
      const counted = receiver.of('tally.counted').map(({ data: [data] }) => JSON.stringify(data));
      assert.deepEqual(counted.sort(), job.data.map((result) => JSON.stringify(result)).sort());

      const failing = await processes.order({ texts: ['…'], webhook: receiver.url, key: 'of another job' });
      const failed = await processes.ended(failing);
      assert.deepEqual(
        [failed.status, failed.error, failed.sum],
        ['failed', 'There is no letter in any of the texts.', null],
      );
      const [event] = await receiver.until('tally.failed', 1);
      assert.deepEqual([event?.success, event?.error], [false, failed.error]);
    });

    test(`${name}: a schedule starts one job per turn, and one for all missed turns together`, {
      skip,
      timeout: 120_000,
    }, async () => {
      await using location = await create();
      await using processes = new Processes(location);
      await processes.start(name === 'SQLite' ? 1 : 2);
      // Sixty turns have already passed.
      await processes.order({ schedule: 'abc' });
      const turns = async () =>
        rowsIn(
          location.options,
          `
        select id, created_at from jobs where kind = 'tally' order by number`,
        );
      while ((await turns()).length < 2) await sleep(50);
      await processes.kill(new Random(1));
      const before = (await turns()).length;
      while ((await turns()).length < before + 2) await sleep(50);

      const started = await turns();
      const seconds = started.slice(1).map(({ created_at }) => Math.floor(Number(created_at) / 1000));
      assert.deepEqual(seconds, [...new Set(seconds)], 'no turn starts two jobs');
      for (const { id } of started.slice(0, 2)) {
        assert.deepEqual((await processes.ended(String(id))).sum, { letters: 3 });
      }
    });
  }
});
