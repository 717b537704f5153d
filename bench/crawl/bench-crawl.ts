import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setUp } from '../../scripts/setup.mjs';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { type CrawlCost, runScript, watchMemory } from './run-process.ts';
import type { SiteReady } from './site-server.ts';

export interface CrawlBenchOptions {
  /** Folder of real pages. */
  pages: string | undefined;
  /** A smoke test, without the peer. */
  quick: boolean;
}

const POLL_MS = 250;

/**
 * A site of real pages as Markdown of their main content: this service through its HTTP API, Crawlee with Readability
 * and Turndown, and a bare loop that only fetches, one after another. A separate process, which is not counted, serves
 * the site.
 */
export async function* benchCrawl({ pages: folder, quick }: CrawlBenchOptions): AsyncGenerator<Figure> {
  const pages = quick ? 60 : 2000;
  if (!quick) setUp(join(import.meta.dirname, '..', 'peers'));
  const site = fork(join(import.meta.dirname, 'site-server.ts'), [String(pages), ...(folder ? [folder] : [])]);
  try {
    const [{ address, bytes }]: [SiteReady] = await onceMessage(site);
    yield { name: `page size (${pages} pages, mean)`, value: bytes / 1000, unit: 'KB' };

    const bare = await runScript(join(import.meta.dirname, 'bare-loop.ts'), address, pages);
    yield* costs('bare loop', bare, pages);
    const crawl = await crawlWithService(address, pages);
    yield* costs('crawl', crawl, pages, { processor: (4 * bare.processor) / pages, memory: 350 });
    yield { name: 'crawl: processors used', value: crawl.processor / crawl.time, unit: '' };
    if (quick) return;

    const crawlee = await runScript(join(import.meta.dirname, '..', 'peers', 'crawlee.ts'), address, pages);
    yield* costs('Crawlee', crawlee, pages);
    yield {
      name: 'crawl: processor time, of 100 of Crawlee',
      value: (100 * crawl.processor) / crawlee.processor,
      unit: '',
      aim: 10,
    };
  } finally {
    site.disconnect();
  }
}

async function onceMessage(site: ReturnType<typeof fork>): Promise<[SiteReady]> {
  const [ready]: SiteReady[] = await once(site, 'message');
  if (ready === undefined) throw new Error('The server of pages did not start.');
  return [ready];
}

async function crawlWithService(address: string, pages: number): Promise<CrawlCost> {
  await using service = await Service.start();
  const memory = watchMemory(service.pid);
  const processorBefore = service.processorTime;
  const start = performance.now();
  const { id } = await service.call<{ id: string }>('POST', '/v2/crawl', {
    url: address,
    limit: pages,
    sitemap: 'skip',
    scrapeOptions: { formats: ['markdown'] },
  });
  let done = 0;
  let status = 'scraping';
  // Documents are read during the crawl, as by a waiting client.
  for (;;) {
    const answer = await service.call<{ status: string; data: unknown[] }>('GET', `/v2/crawl/${id}?skip=${done}`);
    done += answer.data.length;
    if (status !== 'scraping' && answer.data.length === 0) break;
    status = answer.status;
    if (answer.data.length === 0) await wait(POLL_MS);
  }
  const time = performance.now() - start;
  const processor = service.processorTime - processorBefore;
  if (status !== 'completed') throw new Error(`The crawl ended as ${status}.`);
  return { pages: done, time, processor, memory: memory() };
}

function* costs(
  name: string,
  { pages, time, processor, memory }: CrawlCost,
  expected: number,
  aims: { processor?: number; memory?: number } = {},
): Generator<Figure> {
  if (pages !== expected) throw new Error(`${name} had ${pages} pages of ${expected}.`);
  yield aimed({ name: `${name}: CPU a page`, value: processor / pages, unit: 'ms' }, aims.processor);
  yield { name: `${name}: pages a second`, value: (1000 * pages) / time, unit: '/s' };
  yield aimed({ name: `${name}: largest memory`, value: memory, unit: 'MB' }, aims.memory);
}

function aimed(figure: Figure, aim: number | undefined): Figure {
  return aim === undefined ? figure : { ...figure, aim };
}
