import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** The folder with `initdb` and `postgres` of the newest version on this machine; undefined when there is none. */
export function findPrograms(): string | undefined {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
    '/usr/local/pgsql/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/**
 * A PostgreSQL server on a socket in a temporary folder, not started yet. It can be killed and restarted on the same
 * files, and is deleted with its block or this process.
 */
export class PostgresServer implements AsyncDisposable {
  readonly url: string;
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly #user = unprivilegedUser();
  readonly #remove = () => {
    this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  };
  #running: ChildProcess | undefined;

  /** @param settings each `name=value`, in addition to the defaults of a test server */
  constructor(programs: string, settings: readonly string[] = []) {
    this.#programs = programs;
    this.#settings = settings;
    this.#folder = mkdtempSync(join(tmpdir(), 'trawl-postgres-'));
    this.url = `postgres://postgres@localhost/postgres?host=${this.#folder}`;
    process.once('exit', this.#remove);
    if (this.#user !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    const args = ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'];
    execFileSync(join(programs, 'initdb'), args, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
  }

  /** Starts it, and resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${this.#folder}`, ...this.#settings];
    const args = ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])];
    const options = { ...this.#user, cwd: this.#folder, stdio: 'ignore' } as const;
    const running = spawn(join(this.#programs, 'postgres'), args, options);
    this.#running = running;
    // The server must not keep the tests from ending.
    running.unref();
    for (let attempt = 0; attempt < 300; attempt++) {
      if (await letsIn(this.url)) return;
      if (running.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`PostgreSQL of ${this.#programs} did not start in ${this.#folder}.`);
  }

  /** Kills all of it with SIGKILL, including its child processes, which serve connections. */
  kill(): void {
    const pid = this.#running?.pid;
    this.#running = undefined;
    if (pid === undefined || !signal(pid, 'SIGSTOP')) return;
    // It is stopped and starts no more of them, so this list is complete.
    for (const child of childrenOf(pid)) signal(child, 'SIGKILL');
    signal(pid, 'SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#running;
    running?.ref();
    const ended = running && once(running, 'close');
    this.kill();
    await ended;
    process.off('exit', this.#remove);
    this.#remove();
  }

  /** The folder of its files, including its log. */
  get folder(): string {
    return this.#data;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }
}

/** Whether a server is running that lets us create databases. */
export async function letsIn(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
    );
    return rows[0]?.may === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns whether there was such a process. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  if (process.platform === 'linux') {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }
  return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map(Number);
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody');
  if (entry === undefined) throw new Error('PostgreSQL refuses to run as root, and there is no user "nobody".');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
