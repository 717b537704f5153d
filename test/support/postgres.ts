import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

/** A database that is gone when its block ends. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Why there is no PostgreSQL, said once and loudly. Undefined: there is one. */
export async function missingPostgres(): Promise<string | undefined> {
  server ??= findServer();
  const { reason } = await server;
  return reason;
}

/** An empty database of its own on the server that `missingPostgres` found. */
export async function createDatabase(): Promise<TestDatabase> {
  server ??= findServer();
  const { url, reason } = await server;
  if (url === undefined) throw new Error(reason);
  const name = `trawl_test_${randomBytes(8).toString('hex')}`;
  await administer(url, `create database ${name}`);
  // Only a crash of the server itself could lose a commit then, and no test has one.
  await administer(url, `alter database ${name} set synchronous_commit = off`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    [Symbol.asyncDispose]: () => administer(url, `drop database if exists ${name} with (force)`),
  };
}

interface Server {
  url?: string;
  reason?: string;
}

/** One for each test file, because each runs in a process of its own. */
let server: Promise<Server> | undefined;

/** TEST_DATABASE_URL, else a server that runs here, else one that is started from the programs on this machine. */
async function findServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  // What was asked for has to work: a failure of it is not a reason to skip.
  if (given !== undefined && given !== '') return { url: given };

  for (const url of localServers()) {
    if (await answers(url)) return { url };
  }
  const programs = findPrograms();
  if (programs !== undefined) return { url: await startServer(programs) };

  const reason = 'no PostgreSQL: set TEST_DATABASE_URL, or install it (on Debian: apt-get install postgresql)';
  console.error(
    `\n${'!'.repeat(100)}\nTHE POSTGRESQL HALF OF THE STORE TESTS IS SKIPPED: ${reason}\n${'!'.repeat(100)}\n`,
  );
  return { reason };
}

function localServers(): string[] {
  const users = new Set([userInfo().username, 'postgres']);
  const sockets = ['/var/run/postgresql', '/tmp'];
  return [...users].flatMap((user) => [
    ...sockets.map((folder) => `postgres://${user}@localhost/postgres?host=${folder}`),
    `postgres://${user}@127.0.0.1:5432/postgres`,
  ]);
}

/** Whether there is a server that lets us make databases. */
async function answers(url: string): Promise<boolean> {
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

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The folder of `initdb`, `pg_ctl` and `postgres`, of the newest version. */
function findPrograms(): string | undefined {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
    '/usr/local/pgsql/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** A server on a socket in a temporary folder, gone with this process. */
async function startServer(programs: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-postgres-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), init, { ...user, cwd: folder, stdio: 'ignore' });

  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=200'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const running = spawn(join(programs, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
  // The tests end when they end, whatever the server does.
  running.unref();
  process.once('exit', () => {
    execFileSync(join(programs, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], { ...user, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  });

  const url = `postgres://postgres@localhost/postgres?host=${folder}`;
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await answers(url)) return url;
    if (running.exitCode !== null) break;
    await setTimeout(100);
  }
  throw new Error(`PostgreSQL of ${programs} did not start in ${folder}.`);
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
