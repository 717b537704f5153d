import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstChromium } from '../../src/browser/process/find-chromium.ts';
import { processorTime, sharedMemory } from '../process-tree.ts';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { quantile, trend } from '../statistics.ts';

/** Pages to render, so many at the same time. */
export interface Round {
  addresses: readonly string[];
  atOnce: number;
}

const AT_ONCE = [1, 4, 8];
/** Rounds of each side, in turns: the machine's speed drifts by a quarter within minutes. */
const TURNS = 3;
const PAGES = 48;
const WARM_UP = 12;
const SCREENSHOTS = 60;
const MANY = 2_000;

/** What one side did in one round. */
interface Cost {
  /** Pages a second. */
  rate: number;
  /** Processor time of a page, in milliseconds, Chromium's included. */
  processor: number;
}

/**
 * Rendered pages a second and what they cost, beside bare contexts of playwright-core that wait for an idle network, in turns;
 * the time of a screenshot; memory over two thousand pages.
 */
export async function* benchBrowser({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  const chromium = await firstChromium({ path: undefined, dataDir: undefined });
  if (chromium === undefined) return;
  await using stack = new AsyncDisposableStack();
  const site = stack.adopt(fork(join(import.meta.dirname, 'app-server.ts')), (child) => child.disconnect());
  const [origin]: string[] = await once(site, 'message');
  const bare = stack.adopt(
    fork(join(import.meta.dirname, 'bare-contexts.ts'), [chromium.path], { env: { ...process.env, ...chromium.env } }),
    (child) => child.disconnect(),
  );
  await once(bare, 'message');
  const service = stack.use(await Service.start());
  yield { name: 'memory before the first rendered page', value: sharedMemory(service.pid), unit: 'MB' };

  let number = 0;
  const addresses = (count: number) => Array.from({ length: count }, () => `${origin}${number++}`);
  await renderAll(service, { addresses: addresses(quick ? 2 : WARM_UP), atOnce: 4 });

  for (const atOnce of AT_ONCE) {
    const [own, peer]: [Cost[], Cost[]] = [[], []];
    for (let turn = 0; turn < (quick ? 1 : TURNS); turn++) {
      const round = { addresses: addresses(quick ? 4 : PAGES), atOnce };
      own.push(await measure(service.pid, round, () => renderAll(service, round)));
      peer.push(await measure(bare.pid ?? 0, round, () => renderBare(bare, round)));
    }
    const rate = (costs: Cost[]) =>
      quantile(
        costs.map((cost) => cost.rate),
        0.5,
      );
    const processor = (costs: Cost[]) =>
      quantile(
        costs.map((cost) => cost.processor),
        0.5,
      );
    yield { name: `${atOnce} at once: pages a second`, value: rate(own), unit: '/s' };
    yield { name: `${atOnce} at once: bare contexts`, value: rate(peer), unit: '/s' };
    yield { name: `${atOnce} at once: ratio`, value: rate(own) / rate(peer), unit: 'x', atLeast: 0.9 };
    yield { name: `${atOnce} at once: CPU a page`, value: processor(own), unit: 'ms' };
    yield { name: `${atOnce} at once: CPU a page, bare`, value: processor(peer), unit: 'ms' };
    yield {
      name: `${atOnce} at once: memory, service and Chromium`,
      value: sharedMemory(service.pid),
      unit: 'MB',
      aim: 1_000,
    };
  }

  const times: number[] = [];
  for (const url of addresses(quick ? 2 : SCREENSHOTS)) {
    const start = performance.now();
    await service.call('POST', '/v2/scrape', { url, maxAge: 0, formats: ['screenshot'] });
    times.push(performance.now() - start);
  }
  yield { name: 'screenshot, median', value: quantile(times, 0.5), unit: 'ms', aim: 400 };
  yield { name: 'screenshot, 95th percentile', value: quantile(times, 0.95), unit: 'ms' };

  yield* memoryOverTime(service, addresses, quick ? 20 : MANY);
}

/** Whether memory grows with the pages that were rendered. */
async function* memoryOverTime(
  service: Service,
  addresses: (count: number) => string[],
  pages: number,
): AsyncGenerator<Figure> {
  const samples: [page: number, megabytes: number][] = [];
  const step = pages / 20;
  for (let done = 0; done < pages; done += step) {
    await renderAll(service, { addresses: addresses(step), atOnce: 4 });
    samples.push([done, sharedMemory(service.pid)]);
  }
  const later = samples.slice(samples.length / 4);
  const { slope, error } = trend(later);
  const mean = later.reduce((sum, [, memory]) => sum + memory, 0) / later.length;
  const growth = Math.max(0, slope - 2 * error) * pages * 0.75;
  yield {
    name: `${pages} pages: largest memory`,
    value: Math.max(...samples.map(([, memory]) => memory)),
    unit: 'MB',
    aim: 1_000,
  };
  yield {
    name: `${pages} pages: certain growth after the first quarter`,
    value: (100 * growth) / mean,
    unit: '%',
    aim: 5,
  };
}

async function measure(pid: number, { addresses }: Round, run: () => Promise<void>): Promise<Cost> {
  const before = processorTime(pid);
  const start = performance.now();
  await run();
  const time = performance.now() - start;
  const { length } = addresses;
  return { rate: (1000 * length) / time, processor: (processorTime(pid) - before) / length };
}

async function renderAll(service: Service, { addresses, atOnce }: Round): Promise<void> {
  const waiting = [...addresses];
  const renderOn = async () => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await render(service, url);
  };
  await Promise.all(Array.from({ length: atOnce }, renderOn));
}

/** `waitFor` has the page rendered whatever the service knows of it. */
async function render(service: Service, url: string): Promise<void> {
  const body = { url, maxAge: 0, waitFor: 1, formats: ['markdown'] };
  const { data } = await service.call<{ data: { markdown: string } }>('POST', '/v2/scrape', body);
  if (!data.markdown.includes('Thing')) throw new Error(`${url} was not rendered: ${data.markdown}`);
}

async function renderBare(bare: ChildProcess, round: Round): Promise<void> {
  bare.send(round);
  await once(bare, 'message');
}
