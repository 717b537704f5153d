import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { environment, SERVICE_FLAGS } from '../scripts/node24.mjs';
import { processorTime, residentMemory } from './process-tree.ts';

const ROOT = join(import.meta.dirname, '..');
const KEY = 'fc-00000000000000000000000000000000';

/** How the service is started. People type `npm start`, which sets up and then becomes the first. */
export const COMMANDS = {
  node: [process.execPath, ...SERVICE_FLAGS, 'src/cli/main.ts', 'serve'],
  npm: ['npm', 'start', '--silent'],
  /** Without workers. */
  api: [process.execPath, ...SERVICE_FLAGS, 'src/cli/main.ts', 'api'],
} as const;

/** A running service with its own empty store, measured from outside. */
export class Service implements AsyncDisposable {
  readonly address: string;
  /** From the start of the process to the first 200 of /ready, in milliseconds. */
  readonly startTime: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #agent = new Agent({ connections: 64, pipelining: 1 });

  private constructor(address: string, startTime: number, child: ChildProcess, folder: string) {
    this.address = address;
    this.startTime = startTime;
    this.#child = child;
    this.#folder = folder;
  }

  /** @param databaseUrl PostgreSQL to use; without it a separate SQLite file */
  static async start(how: keyof typeof COMMANDS = 'node', databaseUrl?: string): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-'));
    const [command, ...args] = COMMANDS[how];
    const settings = { PORT: '0', TRAWL_DATA_DIR: folder, TRAWL_API_KEY: KEY, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' };
    const { DATABASE_URL: _, ...own } = { ...process.env, ...environment(ROOT) };
    const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    const env = { ...own, ...database, ...settings };
    const start = performance.now();
    const child = spawn(command, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const address = await listeningAddress(child);
    await readiness(address);
    return new Service(address, performance.now() - start, child, folder);
  }

  /**
   * One scrape to Markdown, without the cache unless a copy may be this old. Throws when the Markdown is empty.
   * @returns its time in milliseconds
   */
  async scrape(url: string, { maxAge = 0 } = {}): Promise<number> {
    const start = performance.now();
    const { statusCode, body } = await request(`${this.address}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, maxAge, formats: ['markdown'] }),
      dispatcher: this.#agent,
    });
    const answer = await body.text();
    const time = performance.now() - start;
    if (statusCode !== 200 || !answer.includes('"markdown":"')) {
      throw new Error(`${url} answered ${statusCode}: ${answer.slice(0, 500)}`);
    }
    return time;
  }

  /** One call of the API with the key, or with that of another team. Throws unless it answers 200. */
  async call<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, key = KEY): Promise<Answer> {
    const answer = await request(new URL(path, this.address), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: this.#agent,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The folder of the SQLite file. */
  get dataDir(): string {
    return this.#folder;
  }

  /**
   * The delay of the event loop since the last call, in milliseconds: the 99th percentile of its samples. The samples
   * are the times between two ticks of a timer, so the timer's period, prom-client's 10 ms, is subtracted.
   */
  async loopDelay(): Promise<number> {
    const { body } = await request(`${this.address}/metrics`, { dispatcher: this.#agent });
    const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await body.text())?.[1];
    return Math.max(0, Number(seconds) * 1000 - 10);
  }

  /** CPU time so far, in milliseconds. */
  get processorTime(): number {
    return processorTime(this.#child.pid ?? 0);
  }

  /** Resident memory, in megabytes. */
  get memory(): number {
    return residentMemory(this.#child.pid ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    await rm(this.#folder, { recursive: true });
  }
}

/** Reads the first lines of the log and keeps reading, because a full pipe would block the service. */
async function listeningAddress(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The service ended before it was ready:\n${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 100_000) output += text;
      const address = /Trawl listens on (\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
  });
}

async function readiness(address: string): Promise<void> {
  const { statusCode, body } = await request(`${address}/ready`);
  await body.dump();
  if (statusCode !== 200) throw new Error(`The service listens but is not ready: /ready answered ${statusCode}`);
}
