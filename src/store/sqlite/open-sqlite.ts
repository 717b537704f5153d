import { mkdir, open, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TrawlError } from '../../errors.ts';
import type { Operation, Runner } from '../database.ts';
import { fileIn } from '../location.ts';
import { hasSchema, migrate } from '../migrations/migrate.ts';
import { ping } from '../operations/ping.ts';
import { WRITES } from '../operations/writes.ts';
import { SqliteConnection } from './connection.ts';
import { WriterThread } from './writer-thread.ts';

/**
 * The store in one SQLite file. Reads run synchronously (20 µs; a round trip to a thread would cost 100). Writes run on
 * a thread of their own, where a commit may wait for the disk. Other processes may use the file at the same time.
 * Throws STORE_UNAVAILABLE, or NOT_FOUND if the file must exist and does not.
 */
export async function openSqlite(dataDir: string, { mustExist = false } = {}): Promise<Runner> {
  const path = fileIn(dataDir);
  if (mustExist) await requireFile(path, dataDir);
  else await makeFile(path, dataDir);
  await migrateFile(path);

  const writer = new WriterThread(path);
  await writer.write(ping.name, undefined);
  const reader = new SqliteConnection(path, { readOnly: true });
  const names = new Map<unknown, string>(Object.entries(WRITES).map(([name, operation]) => [operation, name]));

  function write<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> {
    const name = names.get(operation);
    if (name === undefined) throw new Error(`${operation.name} is not listed in operations/writes.ts`);
    return writer.write(name, input);
  }
  return {
    read: (operation, input) => operation(reader, input),
    write,
    writeOnce: write,
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir).catch((cause: unknown) => {
        throw unusable(dataDir, cause);
      });
      return bavail * bsize;
    },
    scrub: () => writer.checkpoint(),
    async close() {
      // The writer closes last: it can merge the log into the file, which a reader cannot.
      reader.close();
      await writer.close();
    },
  };
}

/** Creates the file and its folder. Only this user may access them: they hold scraped data. */
async function makeFile(path: string, dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // SQLite gives its other files the same permissions.
    const file = await open(path, 'a', 0o600);
    await file.close();
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

function unusable(dataDir: string, cause: unknown): TrawlError {
  const reason = cause instanceof Error ? cause.message : cause;
  return new TrawlError('STORE_UNAVAILABLE', `The data directory ${dataDir} cannot be used: ${reason}.`, { cause });
}

/** Opening a missing file would create it, and the next command would then find an empty service. */
async function requireFile(path: string, dataDir: string): Promise<void> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size > 0 && (await holdsSchema(path))) return;
  throw new TrawlError(
    'NOT_FOUND',
    `There is no Trawl database in ${resolve(dataDir)}. Run the command in the service's folder, or set TRAWL_DATA_DIR or DATABASE_URL.`,
  );
}

async function holdsSchema(path: string): Promise<boolean> {
  const connection = new SqliteConnection(path, { readOnly: true });
  try {
    return await hasSchema(connection);
  } finally {
    connection.close();
  }
}

async function migrateFile(path: string): Promise<void> {
  const connection = new SqliteConnection(path, { readOnly: false });
  try {
    connection.control('begin immediate');
    await migrate(connection);
    connection.control('commit');
  } finally {
    connection.close();
  }
}
