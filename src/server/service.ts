import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { type Networks, parseNetworks } from '../fetch/egress/networks.ts';
import { ownEndpoints } from '../fetch/egress/own-endpoints.ts';
import { type JobWorker, startJobWorker } from '../service/job-worker.ts';
import { openParts, type Parts, type PartsGiven } from '../service/parts.ts';
import { Keyless } from '../team/keyless.ts';
import { firstStart } from '../team/keys.ts';
import { createApp } from './app.ts';
import { publicAddress } from './public-address.ts';
import type { App } from './types.ts';
import { createWorkerApp } from './worker-app.ts';

export interface Service {
  /** The address on this machine, without a trailing slash. */
  address: string;
  /** Whether it listens on all addresses of this machine. */
  isOpen: boolean;
  /** The key that this start made; it is shown once. */
  newKey: string | undefined;
  /** Stops accepting requests, finishes the running ones, then closes what was opened. */
  close(): Promise<void>;
}

/**
 * Starts the service in this process: store, egress, HTTP. If the start fails, everything it opened is closed again.
 * @param options `works`: this process works on jobs too; otherwise other processes do. `kinds`: the kinds of jobs
 */
export async function startService(
  config: Config,
  { works = true, ...given }: { works?: boolean } & PartsGiven = {},
): Promise<Service> {
  const trustedProxies = parseNetworks(config.trustedProxies, 'TRAWL_TRUSTED_PROXIES');
  const parts = await openParts(config, given);
  const running: Running = { app: undefined, worker: undefined, endpoint: undefined };
  const close = async () => {
    await Promise.all([running.app?.close(), running.worker?.close()]);
    await parts.close();
    running.endpoint?.[Symbol.dispose]();
  };
  try {
    return { ...(await serve(config, { ...parts, trustedProxies, works }, running)), close };
  } catch (error) {
    await close().catch((err) => parts.logger.error({ err }, 'could not clean up after the failed start'));
    throw error;
  }
}

/** Everything that has to be closed. */
interface Running {
  app: App | undefined;
  worker: JobWorker | undefined;
  /** No page may be fetched from here. */
  endpoint: Disposable | undefined;
}

async function serve(
  config: Config,
  { trustedProxies, works, ...parts }: Parts & { trustedProxies: Networks; works: boolean },
  running: Running,
): Promise<Omit<Service, 'close'>> {
  const { logger, metrics, scrapeServices, jobServices, robots, model, kinds, news } = parts;
  const { store } = scrapeServices;

  let address = '';
  const app = await createApp({
    store,
    logger,
    metrics,
    metricsKey: config.metricsKey,
    keyless: config.keylessPerDay === 0 ? undefined : new Keyless(store, config.keylessPerDay),
    trustedProxies,
    scrapeServices,
    mapServices: { ...scrapeServices, robots },
    model,
    jobServices,
    kinds,
    news,
    browserState: parts.browserState,
    hasWorker: async () => running.worker?.isWorking || store.jobs.hasWorker(),
    publicAddress: publicAddress({ baseUrl: config.baseUrl, listening: () => address, trustedProxies }),
  });
  running.app = app;
  await app.listen({ host: config.host, port: config.port });
  const bound = boundAddress(app);
  running.endpoint = ownEndpoints.listening(bound.port);
  address = httpAddress(bound);
  if (config.keylessPerDay > 0) await Keyless.makeTeam(store);
  if (works) running.worker = await startJobWorker(config, parts);
  // Last, because the key is shown only once: a start that failed after making it would lose it.
  const { key, warning } = await firstStart(store, config.apiKey);
  if (warning !== undefined) logger.warn(warning);
  return { address, isOpen: bound.address in LOOPBACK_OF_ANY, newKey: key };
}

export interface WorkerService extends Pick<Service, 'close'> {
  /** The address of its health, without a trailing slash; undefined when it does not listen. */
  address: string | undefined;
}

/** Works on jobs in this process, and serves its health over HTTP if a port is set. */
export async function startWorker(config: Config): Promise<WorkerService> {
  const parts = await openParts(config);
  const { logger, metrics, scrapeServices } = parts;
  let worker: JobWorker | undefined;
  let endpoint: Disposable | undefined;
  const app = createWorkerApp({
    store: scrapeServices.store,
    browserState: parts.browserState,
    hasWorker: async () => worker?.isWorking ?? false,
    metrics,
    metricsKey: config.metricsKey,
    logger,
  });
  const close = async () => {
    await worker?.close();
    await app.close();
    await parts.close();
    endpoint?.[Symbol.dispose]();
  };
  try {
    if (config.workerPort !== undefined) {
      await app.listen({ host: config.host, port: config.workerPort });
      endpoint = ownEndpoints.listening(boundAddress(app).port);
    }
    worker = await startJobWorker(config, parts);
  } catch (error) {
    await close();
    throw error;
  }
  return { address: config.workerPort === undefined ? undefined : httpAddress(boundAddress(app)), close };
}

/** Nothing connects to a wildcard address: when it listens on all addresses, the loopback address represents them. */
const LOOPBACK_OF_ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

function boundAddress({ server }: App): AddressInfo {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server listens on no port.');
  return bound;
}

function httpAddress({ address, family, port }: AddressInfo): string {
  const host = LOOPBACK_OF_ANY[address] ?? (family === 'IPv6' ? `[${address}]` : address);
  return `http://${host}:${port}`;
}
