import type { Config } from '../config.ts';
import { Schedules } from '../jobs/schedules.ts';
import { Worker } from '../jobs/worker.ts';
import { createPlanConcurrency } from '../team/plan-concurrency.ts';
import { Courier } from '../webhook/courier.ts';
import { counted } from './counted.ts';
import type { Parts } from './parts.ts';
import { RETENTION, runRetention, scheduleRetention } from './retention.ts';

/** Works on jobs, delivers their events, and runs schedules. */
export interface JobWorker {
  wake(): void;
  readonly isWorking: boolean;
  close(): Promise<void>;
}

export async function startJobWorker(
  config: Config,
  { logger, metrics, scrapeServices, kinds, fullTeams, fullJobs, poster, news, setWorker }: Parts,
): Promise<JobWorker> {
  const { store, onError } = scrapeServices;
  const prefixes = new Map(kinds.map(({ name, wire }) => [name, wire.eventPrefix]));
  const courier = new Courier({
    store,
    poster,
    prefixOf: (kind) => prefixes.get(kind) ?? kind,
    onError,
    onTried: (result) => metrics.countDelivery(result),
  });
  const worker = new Worker({
    store,
    kinds: new Map(kinds.map(({ name, run }) => [name, counted(metrics, name, run)])),
    slots: config.workerConcurrency,
    fullTeams,
    fullJobs,
    concurrency: createPlanConcurrency(store),
    onError,
    onStored(jobs) {
      news.tell(jobs);
      courier.wake();
    },
  });
  await worker.start();
  courier.start();
  await scheduleRetention(store);
  const turns = kinds.flatMap(({ name, onTurn }) => (onTurn === undefined ? [] : [[name, onTurn] as const]));
  const schedules = new Schedules({
    store,
    kinds: new Map([[RETENTION, runRetention(store, config, logger)], ...turns]),
    onError,
  });
  const wake = () => {
    worker.wake();
    courier.wake();
  };
  setWorker({ wake });
  schedules.start();
  return {
    wake,
    get isWorking() {
      return worker.isWorking;
    },
    async close() {
      await schedules.close();
      await worker.close();
      await courier.close();
    },
  };
}
