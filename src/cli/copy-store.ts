import { extname } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { bytesKeeper } from '../service/bytes-keeper.ts';
import { backupStore, type Copied, moveStore, type OnProgress, restoreStore } from '../store/copy/copy-store.ts';
import { describeStore } from '../store/location.ts';
import type { StoreOptions } from '../store/open-store.ts';
import { withProgress } from './progress.ts';

/** Backs up the configured store to a new file. */
export async function backup(file: string): Promise<void> {
  const place = readConfig(process.env);
  const copied = await withBytes(place, (from) =>
    showing('Backing up', (onProgress) => backupStore(from, file, onProgress)),
  );
  process.stdout.write(`Backed up ${describeStore(place)} to ${file}: ${summaryOf(copied)}.\n`);
}

/** Restores the configured store from a backup. */
export async function restore(file: string): Promise<void> {
  const place = readConfig(process.env);
  const copied = await showing('Restoring', (onProgress) => restoreStore(file, place, onProgress));
  process.stdout.write(`Restored ${file} to ${describeStore(place)}: ${summaryOf(copied)}.\n`);
}

/** Copies the configured store to another database. */
export async function move(target: string): Promise<void> {
  const from = readConfig(process.env);
  const to = readPlace(target);
  const copied = await withBytes(from, (source) =>
    showing('Moving', (onProgress) => moveStore(source, to, onProgress)),
  );
  const setting =
    to.databaseUrl === undefined ? `TRAWL_DATA_DIR=${to.dataDir} without DATABASE_URL` : 'this DATABASE_URL';
  process.stdout.write(
    `Copied ${describeStore(from)} to ${describeStore(to)}: ${summaryOf(copied)}.\n` +
      `Start the service with ${setting} from now on. The old store is unchanged: remove it when everything works.\n`,
  );
}

/** Works with a store whose large results may be in a bucket. */
async function withBytes<Result>(config: Config, work: (place: StoreOptions) => Promise<Result>): Promise<Result> {
  const { databaseUrl, dataDir } = config;
  const keeper = await bytesKeeper(config);
  try {
    return await work({ databaseUrl, dataDir, keeper });
  } finally {
    await keeper?.close();
  }
}

function readPlace(target: string): StoreOptions {
  if (/^postgres(ql)?:\/\//.test(target)) return { databaseUrl: target, dataDir: '' };
  if (extname(target) !== '.db' && !target.includes('://')) return { dataDir: target };
  throw new TrawlError('BAD_REQUEST', `"${target}" is not a store. Give a data directory, or postgres://….`);
}

function showing(what: string, work: (onProgress: OnProgress) => Promise<Copied>): Promise<Copied> {
  let label = what;
  return withProgress(
    () => label,
    () =>
      work((table, rows) => {
        label = `${what}: ${table}, ${rows} rows`;
      }),
  );
}

function summaryOf({ rows, tables }: Copied): string {
  return `${rows} rows in ${tables} tables, each compared with the original`;
}
