import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { newId, now } from '../../src/clock.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type Account, creditBalance } from '../../src/team/credits.ts';
import { FIRST_TEAM_ID, firstStart } from '../../src/team/keys.ts';
import { readPlan } from '../../src/team/plans.ts';
import { usageHistory } from '../../src/team/usage-history.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../statistics.ts';

/** Entries of one team, the worst case; three years of them, so that more entries do not mean more days. */
const SIZES = [1_000, 100_000, 10_000_000];
const QUICK_SIZES = [1_000, 20_000];
const SPAN_MS = 3 * 365 * 86_400_000;
const ACCOUNT: Account = {
  teamId: FIRST_TEAM_ID,
  keyId: null,
  plan: readPlan('scale', null),
  billingAnchor: Date.UTC(2024, 0, 31),
};

/** The time of a charge and of a usage report, with more and more entries in the ledger of one team. */
export async function* benchLedger(options: StoreOptions, { quick }: { quick: boolean }): AsyncGenerator<Figure> {
  const store = await openStore(options);
  try {
    await firstStart(store, 'fc-00000000000000000000000000000000');
    const database = options.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
    let filled = 0;
    for (const size of quick ? QUICK_SIZES : SIZES) {
      await fillLedger(options, filled, size);
      filled = size;
      for await (const { name, ...figure } of measure(store, quick)) {
        yield { ...figure, name: `${database}, ${size.toLocaleString('en')} entries: ${name}` };
      }
    }
  } finally {
    await store.close();
  }
}

async function* measure(store: Store, quick: boolean): AsyncGenerator<Figure> {
  const charge = () =>
    store.usage.charge({
      teamId: FIRST_TEAM_ID,
      key: `scrape:${newId()}`,
      keyId: null,
      capability: 'scrape',
      jobId: null,
      credits: 1,
      items: null,
      tokens: 0,
      chargedAt: now(),
    });
  yield { name: 'charge', value: await median(quick ? 20 : 200, charge), unit: 'ms' };
  yield { name: 'charges a second, 32 at once', value: await rate(32, quick ? 200 : 2_000, charge), unit: '' };
  yield { name: 'balance', value: await median(200, () => creditBalance(store, ACCOUNT)), unit: 'ms' };
  yield { name: 'usage history', value: await median(20, () => usageHistory(store, ACCOUNT, false)), unit: 'ms' };
  yield { name: 'usage history by key', value: await median(20, () => usageHistory(store, ACCOUNT, true)), unit: 'ms' };
}

/** The median time of this many calls in sequence, in milliseconds. The first ones are a warm-up and not counted. */
async function median(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = -5; count < calls; count++) {
    const start = performance.now();
    await call();
    if (count >= 0) times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

/** Calls per second, with this many at a time, over this many milliseconds. */
async function rate(concurrency: number, duration: number, call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let calls = 0;
  const caller = async () => {
    while (performance.now() - start < duration) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return (calls / (performance.now() - start)) * 1_000;
}

/**
 * Adds entries to the ledger of the first team until it has `to`, and adds up their days, past the service: ten million
 * take SQLite a minute and PostgreSQL two.
 */
async function fillLedger({ databaseUrl, dataDir }: StoreOptions, from: number, to: number): Promise<void> {
  const began = now() - SPAN_MS;
  const step = Math.max(1, Math.floor(SPAN_MS / (to - from)));
  const entry = (n: string, key: string) => `
    insert into charges (team_id, charge_key, key_id, capability, job_id, credits, tokens, charged_at)
    select '${FIRST_TEAM_ID}', ${key}, null, 'scrape', null, 1, 0, ${began} + (${n} - ${from}) * ${step}
    from numbers`;
  // In a shard of its own, which no service adds to.
  const days = `
    insert into usage_days (team_id, day, key_id, shard, credits, tokens)
    select team_id, charged_at / 86400000, '', -1, sum(credits), sum(tokens) from charges
    where charge_key >= 'fill:' and charge_key < 'fill;'
    group by team_id, charged_at / 86400000
    on conflict (team_id, day, key_id, shard) do update set credits = excluded.credits, tokens = excluded.tokens`;

  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'trawl.db'), { timeout: 60_000 });
    const numbers = `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})`;
    database.exec(`${numbers} ${entry('n', "printf('fill:%012d', n)")}`);
    database.exec(days);
    database.close();
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const numbers = `with numbers as (select generate_series(${from}::bigint, ${to - 1}::bigint) as n)`;
  await client.query(`${numbers} ${entry('n', "'fill:' || lpad(n::text, 12, '0')")}`);
  await client.query(days);
  await client.query('vacuum analyze');
  await client.end();
}
