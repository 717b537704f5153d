import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { temporaryFolder } from './folder.ts';
import { createDatabase, missingPostgres } from './postgres.ts';

/** Where a store can be opened, as often as wanted; gone when its block ends. */
export interface StorePlace extends AsyncDisposable {
  options: StoreOptions;
}

export interface StoreKind {
  name: 'SQLite' | 'PostgreSQL';
  /** For the options of `describe`: why there is none of this kind here, or false. */
  skip: string | false;
  /** An empty place. */
  create(): Promise<StorePlace>;
}

/** Both databases, for tests that have to hold on each. */
export const STORE_KINDS: readonly StoreKind[] = [
  {
    name: 'SQLite',
    skip: false,
    async create() {
      const folder = await temporaryFolder();
      return { options: { dataDir: folder.path }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
    },
  },
  {
    name: 'PostgreSQL',
    skip: (await missingPostgres()) ?? false,
    async create() {
      const database = await createDatabase();
      return {
        options: { databaseUrl: database.url, dataDir: 'unused' },
        [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
      };
    },
  },
];

/** A store of its own for one test, where tests would see each other's jobs or rows. */
export async function openOwnStore({ create }: Pick<StoreKind, 'create'>) {
  const place = await create();
  const store = await openStore(place.options);
  return {
    store,
    options: place.options,
    async [Symbol.asyncDispose]() {
      await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
