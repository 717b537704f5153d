import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Settings, TEST_SETTINGS, TrawlClient } from './trawl.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'src', 'cli', 'main.ts');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the `trawl` command to its end. */
export async function runTrawl(args: string[], settings: Settings = {}, cwd = ROOT): Promise<Finished> {
  const running = new Running(args, settings, cwd);
  await running.ended;
  return { code: running.code, stdout: running.stdout, stderr: running.stderr };
}

/** Runs the `trawl` command with a standard output whose reader is gone, as after `head` exits. */
export async function runUnread(args: string[]): Promise<Finished> {
  const running = new Running(args, {}, ROOT);
  running.stopReading();
  await running.ended;
  return { code: running.code, stdout: running.stdout, stderr: running.stderr };
}

/** `trawl serve` or `trawl api` as a separate process, ready for requests. `TRAWL_DATA_DIR` is required. */
export async function startProcess(
  settings: Settings & { TRAWL_DATA_DIR: string },
  command: 'serve' | 'api' = 'serve',
): Promise<TrawlProcess> {
  const running = new Running([command], { ...TEST_SETTINGS, ...settings }, ROOT);
  const address = await running.line(/Trawl listens on (\S+)/);
  return new TrawlProcess(address, running);
}

/**
 * A `trawl` command that runs until it is killed, at the latest when its block ends. Resolves when it has printed the
 * expected line.
 */
export async function startCommand(args: string[], settings: Settings, ready?: RegExp): Promise<TrawlCommand> {
  const running = new Running(args, { ...TEST_SETTINGS, ...settings }, ROOT);
  if (ready !== undefined) await running.line(grouped(ready));
  const stop = async (name: NodeJS.Signals = 'SIGTERM') => {
    running.signal(name);
    await running.ended;
    return running.code;
  };
  return {
    stop,
    async ended() {
      await running.ended;
      return running.code;
    },
    stopReading: () => running.stopReading(),
    stdout: () => running.stdout,
    stderr: () => running.stderr,
    line: (pattern) => running.line(grouped(pattern)),
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

function grouped({ source, flags }: RegExp): RegExp {
  return new RegExp(`(${source})`, flags);
}

export interface TrawlCommand extends AsyncDisposable {
  /** Stops it and returns its exit code; null when the signal ended it. */
  stop(name?: NodeJS.Signals): Promise<number | null>;
  /** Waits until it exits by itself, and returns its exit code. */
  ended(): Promise<number | null>;
  /** Closes the reading end of its standard output. */
  stopReading(): void;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits for a match in its standard output. */
  line(pattern: RegExp): Promise<unknown>;
}

export class TrawlProcess extends TrawlClient implements AsyncDisposable {
  readonly #running: Running;

  constructor(address: string, running: Running) {
    super(address);
    this.#running = running;
  }

  get stdout(): string {
    return this.#running.stdout;
  }

  get stderr(): string {
    return this.#running.stderr;
  }

  /** Waits for a match in the standard output, and returns its first group. */
  line(pattern: RegExp): Promise<string> {
    return this.#running.line(pattern);
  }

  get pid(): number {
    return this.#running.pid;
  }

  signal(name: NodeJS.Signals): void {
    this.#running.signal(name);
  }

  /** Waits until it has exited, and returns the exit code; null when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#running.ended;
    return this.#running.code;
  }

  stop(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal(name);
    return this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }
}

class Running {
  readonly #child: ChildProcess;
  readonly ended: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(args: string[], settings: Settings, cwd: string) {
    // Nothing from the tester's environment: a DATABASE_URL or a proxy there would change the test.
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const env = { PATH, HOME, NODE_COMPILE_CACHE, ...settings };
    this.#child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, 'close');
  }

  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  get code(): number | null {
    return this.#child.exitCode;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The first group of the first match in the standard output. */
  async line(pattern: RegExp): Promise<string> {
    while (true) {
      const found = pattern.exec(this.stdout)?.[1];
      if (found !== undefined) return found;
      // A process ended by a signal has no exit code, and this would loop forever.
      const { exitCode, signalCode } = this.#child;
      const end = exitCode ?? signalCode;
      if (end !== null) throw new Error(`trawl ended (${end}):\n${this.stdout}${this.stderr}`);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.ended]);
    }
  }
}
