import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { PagesReady } from './pages-server.ts';
import type { Figure } from './report.ts';
import { Service } from './service.ts';
import { quantile, trend } from './statistics.ts';

const bareAgent = new Agent({ connections: 32, pipelining: 1 });

export interface BenchOptions {
  /** Folder of real pages. */
  pages: string | undefined;
  /** A smoke test: too few scrapes to mean anything. */
  quick: boolean;
}

/**
 * Compares a scrape of a page of about 100 KB to Markdown, without the cache, with a bare `undici.request` of the same
 * pages in the same run. Client, pages and service are three processes on one machine.
 */
export async function* benchScrape({ pages, quick }: BenchOptions): AsyncGenerator<Figure> {
  const count = quick
    ? { starts: 1, warm: 10, sequential: 20, round: 20, growth: 80 }
    : { starts: 7, warm: 1000, sequential: 1000, round: 500, growth: 20_000 };

  yield* startTimes(count.starts);

  const site = fork(join(import.meta.dirname, 'pages-server.ts'), pages === undefined ? [] : [pages]);
  try {
    const [ready]: PagesReady[] = await once(site, 'message');
    if (!ready) throw new Error('The server of pages did not start.');
    const { addresses, bytes } = ready;
    let visits = 0;
    // Each visit uses a new address, so that nothing on the way can have cached it.
    const nextAddress = () => `${addresses[visits % addresses.length]}?visit=${visits++}`;

    yield { name: `page size (${addresses.length} pages, mean)`, value: bytes / 1000, unit: 'KB' };
    await using service = await Service.start();
    await wait(quick ? 0 : 5000);
    yield { name: 'memory, idle', value: service.memory, unit: 'MB', aim: 130 };

    await atOnce(32, count.warm, () => service.scrape(nextAddress()));
    yield* latency(service, nextAddress, count.sequential);
    yield* load(service, nextAddress, count.round);
    yield* hits(service, addresses, nextAddress, count.sequential);
    yield* memoryGrowth(service, nextAddress, count.growth);
  } finally {
    site.disconnect();
  }
}

/** The median leaves out the first start, which fills the cache of compiled code. */
async function* startTimes(count: number): AsyncGenerator<Figure> {
  for (const [how, name] of [
    ['npm', 'start to ready, npm start'],
    ['node', 'start to ready, node alone'],
  ] as const) {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      await using service = await Service.start(how);
      times.push(service.startTime);
    }
    yield { name: `${name} (median)`, value: quantile(times, 0.5), unit: 'ms', aim: 1000 };
  }
}

/**
 * One request at a time, alternating between bare and scrape, so that a change in the machine's speed affects both
 * alike.
 */
async function* latency(service: Service, nextAddress: () => string, count: number): AsyncGenerator<Figure> {
  const bare: number[] = [];
  const scrape: number[] = [];
  for (let n = 0; n < count; n++) {
    bare.push(await bareRequest(nextAddress()));
    scrape.push(await service.scrape(nextAddress()));
  }
  for (const [share, name] of [
    [0.5, 'p50'],
    [0.95, 'p95'],
  ] as const) {
    const [without, withScrape] = [quantile(bare, share), quantile(scrape, share)];
    yield { name: `bare request, ${name}`, value: without, unit: 'ms' };
    yield { name: `scrape, ${name}`, value: withScrape, unit: 'ms' };
    yield { name: `scrape over bare, ${name}`, value: withScrape - without, unit: 'ms', aim: 8 };
  }
}

/** The median of several rounds, because a burst of other work on the machine spoils one or two of them. */
async function* load(service: Service, nextAddress: () => string, round: number): AsyncGenerator<Figure> {
  const rates: number[] = [];
  const scrapeCpu: number[] = [];
  const bareCpu: number[] = [];
  const delays: number[] = [];
  for (let n = 0; n < 9; n++) {
    await service.loopDelay();
    const cpu = service.processorTime;
    const start = performance.now();
    await atOnce(32, round, () => service.scrape(nextAddress()));
    rates.push((round / (performance.now() - start)) * 1000);
    scrapeCpu.push((service.processorTime - cpu) / round);
    delays.push(await service.loopDelay());

    const before = process.cpuUsage();
    await atOnce(32, round, () => bareRequest(nextAddress()));
    const { user, system } = process.cpuUsage(before);
    bareCpu.push((user + system) / 1000 / round);
  }
  yield { name: 'scrapes a second, 32 at once', value: quantile(rates, 0.5), unit: '/s' };
  yield { name: 'event-loop delay p99, 32 at once', value: quantile(delays, 0.5), unit: 'ms', aim: 20 };
  yield { name: 'CPU a bare request, 32 at once', value: quantile(bareCpu, 0.5), unit: 'ms' };
  yield { name: 'CPU a scrape, 32 at once', value: quantile(scrapeCpu, 0.5), unit: 'ms', aim: 4 };
}

const HOUR_MS = 3_600_000;

/** Scrapes served from the page cache: one at a time, and while 32 others are fetched. */
export async function* hits(
  service: Service,
  addresses: readonly string[],
  nextAddress: () => string,
  count: number,
): AsyncGenerator<Figure> {
  const cached = addresses.slice(0, 100);
  const hit = (n: number) => service.scrape(cached[n % cached.length] ?? '', { maxAge: HOUR_MS });
  // The first time it is fetched; the second time may do what the later ones need not.
  for (let n = 0; n < 2 * cached.length; n++) await hit(n);

  const cpu = service.processorTime;
  const alone: number[] = [];
  for (let n = 0; n < count; n++) alone.push(await hit(n));
  yield { name: 'cache hit, p50', value: quantile(alone, 0.5), unit: 'ms' };
  yield { name: 'CPU a cache hit', value: (service.processorTime - cpu) / count, unit: 'ms', aim: 1.5 };

  const beside: number[] = [];
  const misses: number[] = [];
  let isOver = false;
  const others = Array.from({ length: 32 }, async () => {
    while (!isOver) misses.push(await service.scrape(nextAddress()));
  });
  for (let n = 0; n < count / 4; n++) beside.push(await hit(n));
  isOver = true;
  await Promise.all(others);
  yield { name: 'cache hit beside 32 misses, p50', value: quantile(beside, 0.5), unit: 'ms' };
  yield { name: 'miss among the 32, p50', value: quantile(misses, 0.5), unit: 'ms' };
}

/**
 * Memory stops growing after the warm-up; a leak does not. So the line is fitted to the second half of the scrapes, and
 * growth that the fit cannot distinguish from none counts as none.
 */
async function* memoryGrowth(service: Service, nextAddress: () => string, count: number): AsyncGenerator<Figure> {
  const step = Math.ceil(count / 80);
  const points: [number, number][] = [];
  for (let done = 0; done < count; done += step) {
    await atOnce(16, step, () => service.scrape(nextAddress()));
    points.push([done / 1000, service.memory]);
  }
  const { slope, error } = trend(points.slice(points.length / 2));
  yield { name: `memory after ${count} more scrapes`, value: points.at(-1)?.[1] ?? 0, unit: 'MB' };
  yield { name: 'memory, most', value: Math.max(...points.map(([, memory]) => memory)), unit: 'MB' };
  yield { name: 'memory growth, certain part', value: Math.max(0, slope - 2 * error), unit: 'MB/1000', aim: 0.5 };
}

async function bareRequest(url: string): Promise<number> {
  const start = performance.now();
  const { body } = await request(url, { dispatcher: bareAgent });
  await body.arrayBuffer();
  return performance.now() - start;
}

/** Runs the work `count` times, `limit` at once. */
async function atOnce(limit: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let started = 0;
  const lane = async () => {
    while (started++ < count) await work();
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
