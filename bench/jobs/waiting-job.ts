import { newId, now } from '../../src/clock.ts';
import { compress } from '../../src/store/compression.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { ClaimedTask } from '../../src/store/operations/jobs/claim-tasks.ts';
import type { Store } from '../../src/store/store.ts';
import { makeTeam, newBatch } from '../../test/support/store-rows.ts';
import type { StoreKind, StoreLocation } from '../../test/support/stores.ts';

/** The time to claim and to complete 16 pages, in milliseconds. */
export interface Cost {
  claim: number;
  completion: number;
}

const HOSTS = 500;
/** The most that one worker claims at once. */
const BATCH = 16;
const LIMITS = { queuedTasks: null, credits: null };
const DOCUMENT = 'Words of a page. '.repeat(600);

/** A database with the waiting addresses of one batch, on 500 hosts. */
export class WaitingJob implements AsyncDisposable {
  readonly #place: StoreLocation;
  readonly #owner: Awaited<ReturnType<typeof makeTeam>>;
  readonly #worker: number;
  readonly #id = newId();
  #store: Store;
  #total = 0;
  #ended = 0;

  private constructor(place: StoreLocation, store: Store, owner: Awaited<ReturnType<typeof makeTeam>>, worker: number) {
    this.#place = place;
    this.#store = store;
    this.#owner = owner;
    this.#worker = worker;
  }

  static async start(kind: StoreKind, count: number): Promise<WaitingJob> {
    const place = await kind.create();
    const store = await openStore(place.options);
    const job = new WaitingJob(place, store, await makeTeam(store), await store.jobs.addWorker(now() + 3_600_000));
    await job.#start(count);
    return job;
  }

  get options(): StoreOptions {
    return this.#place.options;
  }

  /** The number of addresses added through the service. */
  get total(): number {
    return this.#total;
  }

  /** Adds so many addresses. */
  async add(count: number): Promise<void> {
    const { teamId } = this.#owner;
    const of = { id: this.#id, teamId, kind: 'batch' as const, at: now(), request: null, limits: LIMITS };
    await this.#store.jobs.append({ ...of, tasks: this.#pages(count) });
    this.#total += count;
  }

  /** Adds as many as have ended since. */
  async makeUp(): Promise<void> {
    await this.add(this.#ended);
    this.#ended = 0;
  }

  async reopen(): Promise<void> {
    await this.#store.close();
    this.#store = await openStore(this.#place.options);
  }

  /** Claims 16 pages and completes them. */
  async workOnPages(): Promise<Cost> {
    const worker = this.#worker;
    const start = performance.now();
    const claimed = await this.#store.jobs.claim({
      worker,
      limit: BATCH,
      at: now(),
      concurrency: { unlimited: null },
      full: { teams: [], jobs: [] },
    });
    const claim = performance.now() - start;
    if (claimed.length !== BATCH) throw new Error(`A claim gave ${claimed.length} pages of ${BATCH}.`);
    const ended = await Promise.all(claimed.map((page) => this.#endOf(page)));
    const middle = performance.now();
    await this.#store.jobs.complete({ worker, at: now(), ended, hosts: [] });
    this.#ended += BATCH;
    return { claim, completion: performance.now() - middle };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close();
    await this.#place[Symbol.asyncDispose]();
  }

  async #start(count: number): Promise<void> {
    const batch = newBatch(this.#owner, this.#pages(count), { id: this.#id, keepMs: 1 });
    await this.#store.jobs.start(batch);
    this.#total = count;
  }

  #pages(count: number) {
    return Array.from({ length: count }, (_, index) => {
      const place = this.#total + index;
      const host = `host-${place % HOSTS}.test`;
      return { key: null, payload: `https://${host}/articles/some-title-${place}`, host, depth: 0 };
    });
  }

  async #endOf(page: ClaimedTask) {
    const { teamId, keyId } = this.#owner;
    const charge = {
      ...{ teamId, keyId, key: `page:${page.job}:${page.key}` as const, capability: 'batch', jobId: String(page.job) },
      ...{ credits: 1, items: null, tokens: 0, chargedAt: now() },
    };
    const document = await compress(DOCUMENT);
    return { ...page, end: { type: 'done' as const, tryId: newId(), document, charge, found: [] } };
  }
}
