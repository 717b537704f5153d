import { openStore } from '../../src/store/open-store.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import type { Figure } from '../report.ts';
import { waitForDisk } from '../wait-for-disk.ts';
import { benchLedger } from './ledger.ts';
import { prepareTeam, requestCost } from './request-cost.ts';

/** The target for authenticating, limiting and charging a request, in milliseconds. */
const AIM = { SQLite: 0.5, PostgreSQL: 1.5 };

/**
 * The cost of authentication, limits and charging per request on each database, first with an empty ledger and then
 * with the entries from `benchLedger`.
 */
export async function* benchLimits({ quick }: { quick: boolean }): AsyncGenerator<Figure> {
  for (const kind of STORE_KINDS) {
    if (kind.skip) continue;
    await using place = await kind.create();
    const { databaseUrl } = place.options;
    if (databaseUrl !== undefined) await waitForDisk(databaseUrl);
    const store = await openStore(place.options);
    const key = await prepareTeam(store);
    const measure = async function* (when: string) {
      for (const figure of await requestCost(store, key, quick ? 20 : 1_000)) {
        const aim = figure.name === 'authentication, limits and charging' ? { aim: AIM[kind.name] } : {};
        yield { ...figure, ...aim, name: `${kind.name}, ${when}: ${figure.name}` };
      }
    };
    try {
      yield* measure('empty ledger');
      yield* benchLedger(place.options, { quick });
      yield* measure('full ledger');
    } finally {
      await store.close();
    }
  }
}
