import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { parseNetworks } from '../fetch/egress/networks.ts';
import { Keyless } from '../team/keyless.ts';
import { firstStart } from '../team/keys.ts';
import { createApp } from './app.ts';
import { type JobWorker, openParts, startJobWorker } from './parts.ts';
import { publicAddress } from './public-address.ts';
import type { App } from './types.ts';

export interface Service {
  /** Where it can be reached from this machine, without a trailing slash. */
  address: string;
  /** Whether it listens on all addresses of this machine. */
  isOpen: boolean;
  /** The key that this start made, to be shown once. */
  newKey: string | undefined;
  /** Stops taking requests, finishes the running ones, then closes what was opened. */
  close(): Promise<void>;
}

/**
 * Starts the service in this process: store, way out, HTTP.
 *
 * @param options `works`: jobs are worked on in this process too; else other processes do
 */
export async function startService(config: Config, { works = true }: { works?: boolean } = {}): Promise<Service> {
  const trustedProxies = parseNetworks(config.trustedProxies, 'TRAWL_TRUSTED_PROXIES');
  const parts = await openParts(config);
  const { logger, scrapeServices, robots, poster, model, news } = parts;
  const { store } = scrapeServices;

  let address = '';
  let worker: JobWorker | undefined;
  const app = await createApp({
    store,
    logger,
    keyless: config.keylessPerDay === 0 ? undefined : new Keyless(store, config.keylessPerDay),
    trustedProxies,
    scrapeServices,
    mapServices: { ...scrapeServices, robots },
    model,
    jobServices: { ...scrapeServices, checkTarget: poster.checkTarget, wakeWorker: () => worker?.wake() },
    news,
    hasWorker: async () => worker?.isWorking || store.jobs.hasWorker(),
    publicAddress: publicAddress({ baseUrl: config.baseUrl, listening: () => address, trustedProxies }),
  });
  await app.listen({ host: config.host, port: config.port });
  const bound = boundAddress(app);
  address = httpAddress(bound);
  // Only now: a key that is made by a start that then fails would be lost, because it is told only once.
  const { key, warning } = await firstStart(store, config.apiKey);
  if (config.keylessPerDay > 0) await Keyless.makeTeam(store);
  if (warning !== undefined) logger.warn(warning);
  if (works) worker = await startJobWorker(config, parts);

  return {
    address,
    isOpen: bound.address in LOOPBACK_OF_ANY,
    newKey: key,
    async close() {
      await Promise.all([app.close(), worker?.close()]);
      await parts.close();
    },
  };
}

/** Works on jobs in this process, without HTTP. */
export async function startWorker(config: Config): Promise<Pick<Service, 'close'>> {
  const parts = await openParts(config);
  const worker = await startJobWorker(config, parts);
  return {
    async close() {
      await worker.close();
      await parts.close();
    },
  };
}

/** Nothing connects to a wildcard address: where it listens on all, its loopback address stands for them. */
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
