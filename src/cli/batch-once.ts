import { startBatch } from '../batch/start-batch.ts';
import { readSources } from './batch-sources.ts';
import { doOnce } from './job-once.ts';
import type { OutputFlags } from './output-flags.ts';
import { readConcurrency } from './read-concurrency.ts';
import { readFlags } from './read-flags.ts';
import type { ScrapeFlags } from './scrape-flags.ts';

export interface BatchFlags extends ScrapeFlags, OutputFlags {
  concurrency?: string;
  ignoreRobots?: true;
}

/** Scrapes many pages in this process. Throws TrawlError. */
export async function batchOnce(sources: readonly string[], flags: BatchFlags): Promise<void> {
  const options = { ...readFlags(flags), ignoreRobotsTxt: flags.ignoreRobots ?? false };
  const maxConcurrency = readConcurrency(flags.concurrency);
  const urls = await readSources(sources);
  await doOnce('batch', { flags, urls }, async ({ caller, origin, ...services }) => {
    const rest = { webhook: null, ignoreInvalidURLs: false, appendToId: null, idempotencyKey: null };
    const { id } = await startBatch(services, { caller, urls, options, maxConcurrency, origin, ...rest });
    return id;
  });
}
