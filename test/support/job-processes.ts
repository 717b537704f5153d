import assert from 'node:assert/strict';
import { startCommand, startProcess, type TrawlProcess } from './process.ts';
import type { Random } from './random.ts';
import { settingsOf } from './rows.ts';
import type { StorePlace } from './stores.ts';

/** `trawl serve` on SQLite, which is started again each time. */
export class OneProcess implements AsyncDisposable {
  readonly #settings: ReturnType<typeof settingsOf>;
  #api: TrawlProcess | undefined;

  constructor({ options }: StorePlace) {
    this.#settings = settingsOf(options);
  }

  get api(): TrawlProcess {
    assert.ok(this.#api);
    return this.#api;
  }

  async start(): Promise<void> {
    this.#api = await startProcess(this.#settings);
  }

  async killOne(_random: Random): Promise<void> {
    await this.api.stop('SIGKILL');
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.stop('SIGKILL');
  }
}

/** `trawl api` and three times `trawl worker` on PostgreSQL; whichever is killed is started again. */
export class FourProcesses implements AsyncDisposable {
  readonly #settings: ReturnType<typeof settingsOf>;
  #api: TrawlProcess | undefined;
  readonly #workers: AsyncDisposable[] = [];

  constructor({ options }: StorePlace) {
    this.#settings = settingsOf(options);
  }

  get api(): TrawlProcess {
    assert.ok(this.#api);
    return this.#api;
  }

  async start(): Promise<void> {
    this.#api = await startProcess(this.#settings, 'api');
    this.#workers.push(...(await Promise.all([0, 1, 2].map(() => this.#startWorker()))));
  }

  async killOne(random: Random): Promise<void> {
    const which = random.below(4);
    if (which === 3) {
      await this.api.stop('SIGKILL');
      this.#api = await startProcess(this.#settings, 'api');
      return;
    }
    await this.#workers[which]?.[Symbol.asyncDispose]();
    this.#workers[which] = await this.#startWorker();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.api.stop('SIGKILL'), ...this.#workers.map((worker) => worker[Symbol.asyncDispose]())]);
  }

  #startWorker(): Promise<AsyncDisposable> {
    return startCommand(['worker'], this.#settings, /^Trawl works on jobs/m);
  }
}
