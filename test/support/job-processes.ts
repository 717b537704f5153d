import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from './postgres-server.ts';
import { startCommand, startProcess, type TrawlProcess } from './process.ts';
import type { Random } from './random.ts';
import { settingsOf } from './rows.ts';
import type { StoreLocation } from './stores.ts';

/** Processes that work on jobs and are killed one after another. */
export interface JobProcesses extends AsyncDisposable {
  readonly api: TrawlProcess;
  start(): Promise<void>;
  /** Kills one or several, restarts them after up to `pause` milliseconds, and returns which. */
  kill(random: Random, pause?: number): Promise<string>;
}

/** `trawl serve` on SQLite. */
export class OneProcess implements JobProcesses {
  readonly #settings: ReturnType<typeof settingsOf>;
  #api: TrawlProcess | undefined;

  constructor({ options }: Pick<StoreLocation, 'options'>) {
    this.#settings = settingsOf(options);
  }

  get api(): TrawlProcess {
    assert.ok(this.#api);
    return this.#api;
  }

  async start(): Promise<void> {
    this.#api = await startProcess(this.#settings);
  }

  async kill(random: Random, pause = 0): Promise<string> {
    await this.api.stop('SIGKILL');
    await sleep(random.below(pause));
    await this.start();
    return 'service';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.stop('SIGKILL');
  }
}

const WORKERS = [0, 1, 2] as const;

/** `trawl api` and three `trawl worker` processes on PostgreSQL. */
export class FourProcesses implements JobProcesses {
  readonly #settings: ReturnType<typeof settingsOf>;
  #api: TrawlProcess | undefined;
  readonly #workers: AsyncDisposable[] = [];

  constructor({ options }: Pick<StoreLocation, 'options'>) {
    this.#settings = settingsOf(options);
  }

  get api(): TrawlProcess {
    assert.ok(this.#api);
    return this.#api;
  }

  async start(): Promise<void> {
    await Promise.all([this.#startApi(), ...WORKERS.map((which) => this.#startWorker(which))]);
  }

  async kill(random: Random, pause = 0): Promise<string> {
    return random.below(4) === 3 ? this.killApi(random.below(pause)) : this.killWorker(random, random.below(pause));
  }

  async killApi(pause: number): Promise<string> {
    await this.api.stop('SIGKILL');
    await sleep(pause);
    await this.#startApi();
    return 'api';
  }

  async killWorker(random: Random, pause: number): Promise<string> {
    const which = random.pick(WORKERS);
    await this.#workers[which]?.[Symbol.asyncDispose]();
    await sleep(pause);
    await this.#startWorker(which);
    return 'worker';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.api.stop('SIGKILL'), ...this.#workers.map((worker) => worker[Symbol.asyncDispose]())]);
  }

  async #startApi(): Promise<void> {
    this.#api = await startProcess(this.#settings, 'api');
  }

  async #startWorker(which: number): Promise<void> {
    this.#workers[which] = await startCommand(['worker'], this.#settings, /Trawl works on jobs/);
  }
}

/** The same, plus the database server itself. The kind to kill next is drawn without replacement. */
export class FiveProcesses implements JobProcesses {
  readonly #server: PostgresServer;
  readonly #four: FourProcesses;
  #deck: string[] = [];

  constructor(server: PostgresServer) {
    this.#server = server;
    this.#four = new FourProcesses({ options: { databaseUrl: server.url, dataDir: 'unused' } });
  }

  get api(): TrawlProcess {
    return this.#four.api;
  }

  async start(): Promise<void> {
    await this.#server.start();
    await this.#four.start();
  }

  async kill(random: Random, pause = 0): Promise<string> {
    if (this.#deck.length === 0) this.#deck = ['api', 'worker', 'database', 'everything'];
    const [kind] = this.#deck.splice(random.below(this.#deck.length), 1);
    switch (kind) {
      case 'api':
        return this.#four.killApi(random.below(pause));
      case 'worker':
        return this.#four.killWorker(random, random.below(pause));
      case 'database':
        return this.#killDatabase(random.below(pause));
      default:
        return this.#killEverything(random.below(pause));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#four[Symbol.asyncDispose]();
  }

  async #killDatabase(pause: number): Promise<string> {
    this.#server.kill();
    const { status, body } = await this.api.get('/ready', { key: null });
    assert.deepEqual({ status, code: body.code }, { status: 503, code: 'STORE_UNAVAILABLE' });
    await sleep(pause);
    await this.#server.start();
    return 'database';
  }

  /** As in a power failure. All start together, and most are up before the database. */
  async #killEverything(pause: number): Promise<string> {
    this.#server.kill();
    await this.#four[Symbol.asyncDispose]();
    await sleep(pause);
    await Promise.all([this.#four.start(), this.#server.start()]);
    return 'everything';
  }
}
