import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Settings } from './trawl.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** For the options of a test: the reason why no terminal is available here, or false. */
export const missingTerminal: string | false =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true
    ? false
    : 'the command "script" of util-linux makes the terminal, and is not here';

/** The `trawl` command on a terminal, as a person sees it: both outputs together, without colours. */
export class Terminal implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #raw = '';

  constructor(args: readonly string[], settings: Settings, cwd: string) {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const command = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    this.#child = spawn('script', ['--quiet', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'], {
      cwd,
      env: { PATH, HOME, NODE_COMPILE_CACHE, TERM: 'xterm-256color', SHELL: '/bin/sh', ...settings },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.#raw += text;
    });
    this.#ended = once(this.#child, 'close');
  }

  /** Its output, including overwritten progress lines. */
  get text(): string {
    return stripVTControlCharacters(this.#raw).replaceAll('\r\n', '\n');
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** The first group of the first match. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.text)?.[1];
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`trawl ended (${this.#child.exitCode}):\n${this.text}`);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.#ended]);
    }
  }

  /** Waits for the end, and returns the exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
