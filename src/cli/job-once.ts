import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { cancelJob, findJob, type JobName, jobFailures, jobStatus } from '../jobs/job-report.ts';
import type { JobServices } from '../jobs/start-job.ts';
import type { ScrapedDocument } from '../pages/document.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { startJobWorker } from '../service/job-worker.ts';
import { openParts, type Parts } from '../service/parts.ts';
import type { Store } from '../store/store.ts';
import { authenticate, type Caller, createKey } from '../team/keys.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { artifactFilesOfJob } from './artifact-files.ts';
import { summarise } from './job-summary.ts';
import type { OutputFlags } from './output-flags.ts';
import { openOutput, type PageOutput } from './page-output.ts';
import { withProgress } from './progress.ts';

const LOOK_MS = 100;

/** The dependencies of a job on the command line. */
export interface OnceServices
  extends JobServices,
    Pick<ScrapeServices, 'prices' | 'fetcher' | 'stages'>,
    Pick<Parts, 'model'> {
  caller: Caller;
  origin: RequestOrigin;
}

/**
 * Runs one job in this process, with its own queue in a temporary folder, and writes each page as it finishes. At the end it
 * reports what was written where, and what failed. Throws TrawlError.
 * @param urls the addresses of a list; undefined for a crawl, which finds its pages
 * @param start starts the job and returns its id
 */
export async function doOnce(
  kind: 'batch' | 'crawl',
  { flags, urls }: { flags: OutputFlags; urls?: readonly string[] },
  start: (services: OnceServices) => Promise<string>,
): Promise<void> {
  await using output = await openOutput(flags, urls);
  const dataDir = await mkdtemp(join(tmpdir(), `trawl-${kind}-`));
  const own = { databaseUrl: undefined, s3: undefined, dataDir, logLevel: 'silent' as const };
  const config = { ...readConfig(process.env), ...own };
  const parts = await openParts(config, { artifacts: artifactFilesOfJob(flags.output) });
  const { store } = parts.scrapeServices;
  try {
    const { key } = await createKey(store, kind);
    const caller = await authenticate(store, key);
    if (caller === null) throw new Error('The key that was just created does not exist.');
    const worker = await startJobWorker(config, parts);
    try {
      const origin = { apiVersion: 'v2' as const, origin: 'cli', integration: null, auditUsername: null };
      const { checkTarget } = parts.poster;
      const { model, scrapeServices } = parts;
      const services = { ...scrapeServices, model, checkTarget, wakeWorker: () => worker.wake() };
      const id = await start({ ...services, caller, origin });
      const name = { teamId: caller.teamId, id, kinds: [kind] };
      const cancel = () => {
        // The job may have ended just now.
        const cancelled = cancelJob(store, name).catch(() => {});
        void cancelled.then(() => worker.close());
      };
      process.once('SIGINT', cancel);
      process.once('SIGTERM', cancel);
      const { written, refusals } = await follow(store, name, output);
      const { tasks: failures } = await jobFailures(store, name);
      for (const page of failures) await output.fail?.(page);
      process.stderr.write(`${summarise({ written, refusals, failures }, output).join('\n')}\n`);
      // Every page of a list was requested. On a site, a dead link is not a failure.
      if (kind === 'crawl' ? written === 0 : failures.length > 0) process.exitCode = 1;
    } finally {
      await worker.close();
    }
  } finally {
    await parts.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Writes documents as they come, until the job has ended and none of its pages is running. Returns their number, and
 * the count of each status from 400 on.
 */
async function follow(store: Store, name: JobName, output: PageOutput) {
  const refusals = new Map<number, number>();
  const startedAt = performance.now();
  let written = 0;
  let total = 0;
  let failed = 0;
  let waiting = 0;
  const label = () => {
    const rate = (written / ((performance.now() - startedAt) / 1000)).toFixed(1);
    return `${written} of ${total} pages, ${rate} a second, ${failed} failed, ${waiting} waiting`;
  };
  const status = await withProgress(label, async () => {
    for (;;) {
      const { running, ...queue } = await store.jobs.count(name.teamId);
      const { job, documents } = await jobStatus(store, await findJob(store, name), { skip: written, limit: null });
      ({ total } = job);
      ({ waiting } = queue);
      for (const text of documents) {
        const document: ScrapedDocument = JSON.parse(text);
        await output.write(text, document);
        const { statusCode } = document.metadata;
        if (statusCode >= 400) refusals.set(statusCode, (refusals.get(statusCode) ?? 0) + 1);
      }
      written += documents.length;
      failed = job.failed;
      if (documents.length > 0) continue;
      if (job.status !== 'scraping' && running === 0) return job.status;
      await sleep(LOOK_MS);
    }
  });
  if (status === 'cancelled') {
    process.stderr.write(`Cancelled: ${written} of ${total} pages are done.\n`);
    process.exitCode = 1;
  }
  return { written, refusals };
}
