import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchFailures, batchStatus, cancelBatch } from '../batch/batch-report.ts';
import { startBatch } from '../batch/start-batch.ts';
import { readConfig } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { openParts, startJobWorker } from '../server/parts.ts';
import type { Store } from '../store/store.ts';
import { authenticate, createKey } from '../team/keys.ts';
import { type BatchOutput, openOutput } from './batch-output.ts';
import { readSources } from './batch-sources.ts';
import { withProgress } from './progress.ts';
import { readFlags } from './read-flags.ts';
import type { ScrapeFlags } from './scrape-flags.ts';

export interface BatchFlags extends ScrapeFlags {
  output?: string;
  concurrency?: string;
  ignoreRobots?: true;
}

const LOOK_MS = 100;

/**
 * Scrapes many pages in this process, with a queue of its own in a temporary folder, and writes each as it is done.
 * Throws TrawlError; when some pages failed it says so and sets the exit code.
 */
export async function batchOnce(sources: readonly string[], flags: BatchFlags): Promise<void> {
  const options = { ...readFlags(flags), ignoreRobotsTxt: flags.ignoreRobots ?? false };
  const maxConcurrency = readConcurrency(flags.concurrency);
  const urls = await readSources(sources);
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-batch-'));
  const config = { ...readConfig(process.env), databaseUrl: undefined, dataDir, logLevel: 'silent' as const };
  const parts = await openParts(config);
  const { store } = parts.scrapeServices;
  await using output = await openOutput(flags.output);
  try {
    const { key } = await createKey(store, 'batch');
    const caller = await authenticate(store, key);
    if (caller === null) throw new Error('The key that was just made is not there.');
    const worker = await startJobWorker(config, parts);
    const { id } = await startBatch(
      { ...parts.scrapeServices, checkTarget: parts.poster.checkTarget, wakeWorker: () => worker.wake() },
      {
        ...{ caller, urls, options, maxConcurrency, ignoreInvalidURLs: false, appendToId: null, idempotencyKey: null },
        webhook: null,
        origin: { apiVersion: 'v2', origin: 'cli', integration: undefined, auditUsername: undefined },
      },
    );
    const cancel = () => void cancelBatch(store, caller.teamId, id).then(() => worker.close());
    process.once('SIGINT', cancel);
    process.once('SIGTERM', cancel);
    await follow(store, caller.teamId, id, output);
    await worker.close();
    report(await batchFailures(store, caller.teamId, id));
  } finally {
    await parts.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Writes documents as they come, until the batch has ended and no page of it is under way. */
async function follow(store: Store, teamId: string, id: string, output: BatchOutput): Promise<void> {
  let written = 0;
  let total = 0;
  const label = () => `Scraped ${written} of ${total}`;
  const status = await withProgress(label, async () => {
    for (;;) {
      const { running } = await store.jobs.count(teamId);
      const { job, documents } = await batchStatus(store, teamId, id, { skip: written, limit: null });
      total = job.total;
      for (const document of documents) await output.write(document);
      written += documents.length;
      if (documents.length > 0) continue;
      if (job.status !== 'scraping' && running === 0) return job.status;
      await sleep(LOOK_MS);
    }
  });
  if (status !== 'cancelled') return;
  process.stderr.write(`Cancelled: ${written} of ${total} pages are done.\n`);
  process.exitCode = 1;
}

function report(failures: Awaited<ReturnType<typeof batchFailures>>): void {
  for (const { url, blocked, message } of failures) {
    process.stderr.write(`${url}: ${blocked ? 'robots.txt keeps it out' : message}\n`);
  }
  if (failures.length > 0) process.exitCode = 1;
}

function readConcurrency(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TrawlError('BAD_REQUEST', `"${text}" is no number of pages. --concurrency takes a whole number from 1 on.`);
}
