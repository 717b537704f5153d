import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { temporaryFolder } from './folder.ts';
import { createDatabase, missingPostgres } from './postgres.ts';

/** A location where a store can be opened repeatedly. It is deleted when its block ends. */
export interface StoreLocation extends AsyncDisposable {
  options: StoreOptions;
}

export interface StoreKind {
  name: 'SQLite' | 'PostgreSQL';
  /** For the options of `describe`: the reason why this kind is unavailable here, or false. */
  skip: string | false;
  /** Creates an empty location. */
  create(): Promise<StoreLocation>;
}

/** Both databases, for tests that must pass on each. */
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

/** A separate store for one test, when tests would otherwise see each other's jobs or rows. */
export async function openOwnStore({ create }: Pick<StoreKind, 'create'>) {
  const location = await create();
  const store = await openStore(location.options);
  return {
    store,
    options: location.options,
    async [Symbol.asyncDispose]() {
      await store.close();
      await location[Symbol.asyncDispose]();
    },
  };
}
