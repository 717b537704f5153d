import type { AddressInfo } from 'node:net';
import { batchPages } from '../batch/run-page.ts';
import type { Config } from '../config.ts';
import { parseNetworks } from '../fetch/egress/networks.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import { Worker } from '../jobs/worker.ts';
import { PageWorkers } from '../scrape/page-workers/page-workers.ts';
import { openStore } from '../store/open-store.ts';
import { Keyless } from '../team/keyless.ts';
import { firstStart } from '../team/keys.ts';
import { createPlanConcurrency } from '../team/plan-concurrency.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { createApp } from './app.ts';
import { createLogger } from './logger.ts';
import { startRetention } from './retention.ts';

export interface Service {
  /** Where it listens, without a trailing slash. */
  address: string;
  /** The key that this start made, to be shown once. */
  newKey: string | undefined;
  /** Stops taking requests, finishes the running ones, then closes what was opened. */
  close(): Promise<void>;
}

/** Starts the whole service in this process: store, way out, HTTP. */
export async function startService(config: Config): Promise<Service> {
  const logger = await createLogger(config.logLevel);
  const trustedProxies = parseNetworks(config.trustedProxies, 'TRAWL_TRUSTED_PROXIES');
  const store = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
  const fetcher = createFetcher({
    allowNetworks: config.allowNetworks,
    proxy: config.proxy,
    enhancedProxy: config.enhancedProxy,
    maxBodyBytes: config.maxPageBytes,
  });
  const pageWorkers = new PageWorkers();

  let address = '';
  const scrapeServices = {
    store,
    fetcher,
    read: pageWorkers.read,
    prices: createPriceList(store),
    running: new RunningWork(),
    resultMs: config.resultMs,
  };
  const worker = new Worker({
    store,
    kinds: { batch: batchPages(scrapeServices) },
    slots: config.workerConcurrency,
    concurrency: createPlanConcurrency(store),
    onError: (err, what) => logger.error({ err }, what),
  });
  const app = await createApp({
    store,
    logger,
    keyless: config.keylessPerDay === 0 ? undefined : new Keyless(store, config.keylessPerDay),
    trustedProxies,
    scrapeServices,
    batchServices: { ...scrapeServices, wakeWorker: () => worker.wake() },
    baseUrl: () => config.baseUrl ?? address,
  });
  await app.listen({ host: config.host, port: config.port });
  address = httpAddress(app.server.address());
  // Only now: a key that is made by a start that then fails would be lost, because it is told only once.
  const { key, warning } = await firstStart(store, config.apiKey);
  if (config.keylessPerDay > 0) await Keyless.makeTeam(store);
  if (warning !== undefined) logger.warn(warning);
  await worker.start();
  const retention = startRetention(store, config.cacheBytes, logger);

  return {
    address,
    newKey: key,
    async close() {
      retention.stop();
      await Promise.all([app.close(), worker.close()]);
      await pageWorkers.close();
      await fetcher.close();
      await store.close();
    },
  };
}

function httpAddress(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('The server listens on no port.');
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `http://${host}:${bound.port}`;
}
