import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { Client } from 'pg';
import { findPrograms, letsIn, PostgresServer } from './postgres-server.ts';

/** A database that is dropped when its block ends. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** The reason why PostgreSQL is missing, which is also printed once; undefined when it is available. */
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
  // Then only a crash of the server itself could lose a commit, and no test causes one.
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

/** TEST_DATABASE_URL, else a server running here, else one started from the binaries on this machine. */
async function findServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  // An explicitly configured server must work: its failure is no reason to skip.
  if (given !== undefined && given !== '') return { url: given };

  for (const url of localServers()) {
    if (await letsIn(url)) return { url };
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

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A server for the lifetime of this process. Its data need not survive a crash of the machine. */
async function startServer(programs: string): Promise<string> {
  const own = new PostgresServer(programs, ['fsync=off', 'max_connections=200']);
  await own.start();
  return own.url;
}
