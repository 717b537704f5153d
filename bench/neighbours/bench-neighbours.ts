import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { openStore } from '../../src/store/open-store.ts';
import { createTeam } from '../../src/team/teams.ts';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { quantile } from '../statistics.ts';
import type { Asked, SiteReady } from './site.ts';

/** The number of concurrent scrapes of each kind, and of slow pages in the batch alongside the crawl. */
const ATTACKS = { hang: 200, stall: 12, slow: 8, crawl: 500 };
/** The requests that the site must receive before an attack counts as running. */
const UNDER_WAY: Asked = { hang: 60, stall: 12, slow: 8, linked: 1 };
/** Only to check that the benchmark completes. */
const QUICK_ATTACKS = { hang: 8, stall: 2, slow: 1, crawl: 1 };
const QUICK_UNDER_WAY: Asked = { hang: 8, stall: 2, slow: 1, linked: 1 };
/** A crawl and a batch. */
const JOBS = 2;
/** The target for the time of a scrape under attack, as a multiple of that alone. */
const AIM = 2;

interface Amount {
  rounds: number;
  usual: number;
  large: number;
  batch: number;
}

interface Times {
  usual: number[];
  large: number[];
  batch: number[];
}

/**
 * How long the scrapes of one team take alone, and while another team attacks the same sites in four ways: 200 requests hang,
 * 12 large bodies stall, slow pages come by scrapes and by a batch, and a crawl takes the name of a crawler that the site
 * slows down. Rounds alone and under attack alternate; the figures are medians over the rounds.
 */
export async function* benchNeighbours({
  pages,
  quick,
}: {
  pages: string | undefined;
  quick: boolean;
}): AsyncGenerator<Figure> {
  const amount: Amount = quick
    ? { rounds: 1, usual: 10, large: 2, batch: 5 }
    : { rounds: 3, usual: 200, large: 20, batch: 50 };
  const slowElements = quick ? 50_000 : 900_000;
  const site = fork(join(import.meta.dirname, 'site.ts'), [
    String(slowElements),
    ...(pages === undefined ? [] : [pages]),
  ]);
  try {
    const [ready]: SiteReady[] = await once(site, 'message');
    if (ready === undefined) throw new Error('The server of pages did not start.');
    await using service = await Service.start();
    const key = await makeTeam(service.dataDir);
    const victim = new Victim(service, ready);
    // Code is compiled, and threads have started.
    await victim.work(amount);
    const [alone, attacked]: [Times[], Times[]] = [[], []];
    for (let round = 0; round < amount.rounds; round++) {
      alone.push(await victim.work(amount));
      await using attack = new Attack(service, key, ready, quick ? QUICK_ATTACKS : ATTACKS);
      await attack.isUnderWay(quick ? QUICK_UNDER_WAY : UNDER_WAY);
      attacked.push(await victim.work(amount));
    }
    yield* figures('scrape', alone, attacked, ({ usual }) => usual);
    yield* figures('scrape of 3 MB', alone, attacked, ({ large }) => large);
    const batch = (times: Times[]) =>
      quantile(
        times.flatMap(({ batch }) => batch),
        0.5,
      );
    yield { name: `batch of ${amount.batch} pages, alone`, value: batch(alone), unit: 'ms' };
    yield { name: `batch of ${amount.batch} pages, attacked`, value: batch(attacked), unit: 'ms' };
  } finally {
    site.disconnect();
  }
}

function* figures(
  name: string,
  alone: readonly Times[],
  attacked: readonly Times[],
  of: (times: Times) => number[],
): Generator<Figure> {
  for (const [share, label] of [
    [0.5, 'p50'],
    [0.95, 'p95'],
  ] as const) {
    const median = (rounds: readonly Times[]) =>
      quantile(
        rounds.map((times) => quantile(of(times), share)),
        0.5,
      );
    const [without, withAttack] = [median(alone), median(attacked)];
    yield { name: `${name}, ${label}, alone`, value: without, unit: 'ms' };
    yield { name: `${name}, ${label}, attacked`, value: withAttack, unit: 'ms' };
    const ratio = { name: `${name}, ${label}, attacked over alone`, value: withAttack / without, unit: 'times' };
    yield share === 0.95 ? { ...ratio, aim: AIM } : ratio;
  }
}

/** The team that is measured. */
class Victim {
  readonly #service: Service;
  readonly #site: SiteReady;
  #visits = 0;

  constructor(service: Service, site: SiteReady) {
    this.#service = service;
    this.#site = site;
  }

  async work({ usual, large, batch }: Amount): Promise<Times> {
    const times: Times = { usual: [], large: [], batch: [] };
    for (let n = 0; n < usual; n++) {
      times.usual.push(await this.#service.scrape(this.#usual(0)));
      if (n % Math.ceil(usual / large) === 0) {
        times.large.push(await this.#service.scrape(`${this.#site.origins[1]}/large?visit=${this.#visits++}`));
      }
    }
    times.batch.push(await this.#batch(batch));
    return times;
  }

  async #batch(count: number): Promise<number> {
    const start = performance.now();
    const body = { urls: Array.from({ length: count }, () => this.#usual(1)), maxAge: 0, formats: ['markdown'] };
    const { id } = await this.#service.call<{ id: string }>('POST', '/v2/batch/scrape', body);
    for (;;) {
      const answer = await this.#service.call<{ status: string }>('GET', `/v2/batch/scrape/${id}?limit=1`);
      if (answer.status !== 'scraping') return performance.now() - start;
      await wait(20);
    }
  }

  /** An address that has not been used before. */
  #usual(site: 0 | 1): string {
    return `${this.#site.origins[site]}/${this.#visits % this.#site.pages}?visit=${this.#visits++}`;
  }
}

async function makeTeam(dataDir: string): Promise<string> {
  const store = await openStore({ dataDir });
  try {
    return (await createTeam(store, 'hostile', 'unlimited')).key;
  } finally {
    await store.close();
  }
}

async function askedOf(origin: string): Promise<Asked> {
  const { body } = await request(`${origin}/asked`);
  const asked: unknown = await body.json();
  return Object.fromEntries(Object.entries(asked ?? {}).map(([name, count]) => [name, Number(count)]));
}

/** All attacks of the hostile team, each in a process, until disposed. */
class Attack implements AsyncDisposable {
  readonly #service: Service;
  readonly #key: string;
  readonly #origin: string;
  readonly #processes: ChildProcess[];
  readonly #jobs: string[] = [];
  readonly #before: Promise<Asked>;

  constructor(service: Service, key: string, { origins }: SiteReady, attacks: typeof ATTACKS) {
    this.#service = service;
    this.#key = key;
    this.#origin = origins[0];
    this.#before = askedOf(this.#origin);
    this.#processes = Object.entries(attacks).map(([kind, size]) => {
      const site = origins[kind === 'hang' ? 0 : 1];
      return fork(join(import.meta.dirname, 'attacker.ts'), [kind, String(size), service.address, key, site]);
    });
    for (const process of this.#processes) process.on('message', (path) => this.#jobs.push(String(path)));
  }

  async isUnderWay(underWay: Asked): Promise<void> {
    const before = await this.#before;
    for (;;) {
      const asked = await askedOf(this.#origin);
      const hasAsked = Object.entries(underWay).every(
        ([kind, count]) => (asked[kind] ?? 0) - (before[kind] ?? 0) >= count,
      );
      if (hasAsked && this.#jobs.length === JOBS) return;
      await wait(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#processes.map(async (process) => {
        process.disconnect();
        if (process.exitCode === null) await once(process, 'exit');
      }),
    );
    // The job may have completed by now, and then cannot be cancelled.
    for (const path of this.#jobs) await this.#service.call('DELETE', path, undefined, this.#key).catch(() => {});
    while ((await this.#pagesUnderWay()) > 0) await wait(50);
  }

  async #pagesUnderWay(): Promise<number> {
    const status = await this.#service.call<{ activeJobsInQueue: number }>(
      'GET',
      '/v2/team/queue-status',
      undefined,
      this.#key,
    );
    return status.activeJobsInQueue;
  }
}
