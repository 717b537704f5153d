import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Keeper } from '../../src/s3/s3-keeper.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from './folder.ts';
import { foundBelow, valuesIn } from './marked-files.ts';
import { createDatabase, missingPostgres } from './postgres.ts';
import { rowsIn, settingsOf } from './rows.ts';
import { type S3, startS3 } from './s3.ts';
import type { Settings } from './trawl.ts';

/** A location for a store and the bytes of its artifacts. It is deleted when its block ends. */
export interface ArtifactLocation extends AsyncDisposable {
  options: StoreOptions;
  settings: Settings & { TRAWL_DATA_DIR: string };
  /** The bucket with the bytes; undefined when they are kept with the store. */
  s3?: S3;
  /** Whether large results are stored here too, instead of in their rows. */
  takesResults: boolean;
  /** Whether the stored bytes contain a text anywhere. */
  holds(text: string): Promise<boolean>;
  /** The ids of the stored artifacts. */
  keptIds(): Promise<string[]>;
  /** Removes the bytes of an id, as a mistake of an operator would. */
  lose(id: string): Promise<void>;
}

export interface ArtifactLocationKind {
  name: string;
  skip: string | false;
  create(): Promise<ArtifactLocation>;
}

export const ARTIFACT_LOCATIONS: readonly ArtifactLocationKind[] = [
  {
    name: 'a folder beside SQLite',
    skip: false,
    async create() {
      const folder = await temporaryFolder();
      const options = { dataDir: folder.path };
      const root = join(folder.path, 'files');
      return {
        options,
        settings: settingsOf(options),
        takesResults: true,
        holds: async (text) => (await foundBelow(root, [text])).length > 0,
        lose: (id) => rm(join(root, id.slice(-2), id)),
        async keptIds() {
          const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
          return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
        },
        [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: 'PostgreSQL',
    skip: (await missingPostgres()) ?? false,
    async create() {
      const database = await createDatabase();
      const folder = await temporaryFolder();
      const options = { databaseUrl: database.url, dataDir: folder.path };
      return {
        options,
        settings: settingsOf(options),
        takesResults: false,
        holds: async (text) => (await valuesIn(options)).includes(text),
        lose: () => Promise.reject(new Error('They are in PostgreSQL.')),
        async keptIds() {
          const rows = await rowsIn(options, 'select distinct artifact_id from artifact_chunks');
          return rows.map(({ artifact_id }) => String(artifact_id));
        },
        async [Symbol.asyncDispose]() {
          await database[Symbol.asyncDispose]();
          await folder[Symbol.asyncDispose]();
        },
      };
    },
  },
  {
    name: 'an S3-compatible store beside SQLite',
    skip: false,
    async create() {
      const folder = await temporaryFolder();
      const s3 = await startS3();
      return {
        // Each opened store closes its own.
        get options() {
          return { dataDir: folder.path, keeper: new S3Keeper(s3.settings) };
        },
        s3,
        settings: { TRAWL_DATA_DIR: folder.path, ...s3.environment },
        ...contentOf(s3),
        async [Symbol.asyncDispose]() {
          await s3[Symbol.asyncDispose]();
          await folder[Symbol.asyncDispose]();
        },
      };
    },
  },
];

/** These, and S3 beside PostgreSQL: where large results are kept out of the database while other processes share it. */
export const RESULT_LOCATIONS: readonly ArtifactLocationKind[] = [
  ...ARTIFACT_LOCATIONS,
  {
    name: 'an S3-compatible store beside PostgreSQL',
    skip: (await missingPostgres()) ?? false,
    async create() {
      const database = await createDatabase();
      const folder = await temporaryFolder();
      const s3 = await startS3();
      const options = { databaseUrl: database.url, dataDir: folder.path };
      return {
        get options() {
          return { ...options, keeper: new S3Keeper(s3.settings) };
        },
        s3,
        settings: { ...settingsOf(options), ...s3.environment },
        ...contentOf(s3),
        async [Symbol.asyncDispose]() {
          await s3[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
          await folder[Symbol.asyncDispose]();
        },
      };
    },
  },
];

function contentOf({ objects }: S3): Pick<ArtifactLocation, 'takesResults' | 'holds' | 'keptIds' | 'lose'> {
  const idOf = (key: string) => key.split('/').at(-1) ?? '';
  return {
    takesResults: true,
    holds: async (text) => [...objects.values()].some((bytes) => bytes.includes(text)),
    keptIds: async () => [...objects.keys()].map(idOf),
    async lose(id) {
      for (const key of objects.keys()) if (idOf(key) === id) objects.delete(key);
    },
  };
}

/** Opens the store at this location, as a separate process does. */
export async function withStoreAt<T>({ options }: ArtifactLocation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
