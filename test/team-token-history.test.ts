import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Client } from 'pg';
import { newId, useClock } from '../src/clock.ts';
import { openStore, type StoreOptions } from '../src/store/open-store.ts';
import { chargeExtract } from '../src/team/extract-usage.ts';
import { createKey, FIRST_TEAM_ID, revokeKey } from '../src/team/keys.ts';
import { anchorBilling, createTeam, findTeam } from '../src/team/teams.ts';
import { startBreakableRelay } from './support/breakable-relay.ts';
import { createDatabase, missingPostgres } from './support/postgres.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

/** Sections 2.1 and 4.1 of the interface specification, in both versions. */

interface TokenHistory {
  success: boolean;
  error: string;
  code: string;
  periods: { startDate: string; endDate: string; totalTokens: number; apiKey: string | null }[];
}

const VERSIONS = ['v1', 'v2'] as const;
const site = await shared(startSite());
const noPostgres = (await missingPostgres()) ?? false;

/** Does work on the store at each of these moments. The service and the store share this clock. */
async function usedAt(moments: Record<string, () => Promise<unknown>>): Promise<void> {
  for (const [moment, work] of Object.entries(moments)) {
    const restore = useClock(() => Date.parse(moment));
    try {
      await work();
    } finally {
      restore();
    }
  }
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`GET /team/token-usage/historical on ${name}`, { skip }, () => {
    test('reports one period for a new team, with exactly the fields of the specification', async () => {
      await using location = await create();
      const restore = useClock(() => Date.parse('2026-03-31T17:45:12.345Z'));
      try {
        await using trawl = await startTrawl(settingsOf(location.options));
        for (const version of VERSIONS) {
          const { status, body } = await trawl.get<TokenHistory>(`/${version}/team/token-usage/historical`);
          assert.equal(status, 200);
          assert.deepEqual(body, {
            success: true,
            periods: [
              {
                startDate: '2026-03-31T00:00:00.000Z',
                endDate: '2026-04-30T00:00:00.000Z',
                totalTokens: 0,
                apiKey: null,
              },
            ],
          });
        }
      } finally {
        restore();
      }
    });

    test('reports gapless months from the billing anchor, in total and by key name; a revoked key keeps its name', async () => {
      await using location = await create();
      const { options } = location;
      const store = await openStore(options);
      try {
        let teamId = '';
        let key = '';
        const keyIds: string[] = [];
        const use = async (which: number, tokens: number) => {
          const keyId = keyIds[which] ?? '';
          assert.equal(await chargeExtract(store, { teamId, keyId }, { jobId: newId(), tokens }), true);
        };
        await usedAt({
          '2023-12-31T08:00:00Z': async () => {
            ({ id: teamId, key } = await createTeam(store, 'acme', 'unlimited'));
            keyIds.push((await store.keys.list(teamId))[0]?.id ?? '');
            await anchorBilling(store, 'acme', 31);
            await use(0, 100);
          },
          '2024-01-30T23:59:59.999Z': () => use(0, 20),
          '2024-01-31T00:00:00.000Z': async () => {
            keyIds.push(
              (await createKey(store, 'laptop', { teamId })).id,
              (await createKey(store, 'laptop', { teamId })).id,
            );
            await use(1, 7);
            await use(2, 8);
          },
          '2024-02-28T23:59:59.999Z': async () => {
            await use(1, 1);
            await revokeKey(store, keyIds[1] ?? '', teamId);
          },
          '2024-02-29T00:00:00.000Z': () => use(0, 1_000),
          // No usage in the March period.
          '2024-04-30T00:00:00.000Z': () => use(2, 40),
        });

        const restore = useClock(() => Date.parse('2024-05-30T12:00:00Z'));
        await using trawl = await startTrawl(settingsOf(options));
        try {
          const periods = [
            { startDate: '2023-12-31T00:00:00.000Z', endDate: '2024-01-31T00:00:00.000Z' },
            { startDate: '2024-01-31T00:00:00.000Z', endDate: '2024-02-29T00:00:00.000Z' },
            { startDate: '2024-02-29T00:00:00.000Z', endDate: '2024-03-31T00:00:00.000Z' },
            { startDate: '2024-03-31T00:00:00.000Z', endDate: '2024-04-30T00:00:00.000Z' },
            { startDate: '2024-04-30T00:00:00.000Z', endDate: '2024-05-31T00:00:00.000Z' },
          ];
          const totals = [120, 16, 1_000, 0, 40];
          const [ofDefault, ofLaptop] = [
            [120, 0, 1_000, 0, 0],
            [0, 16, 0, 0, 40],
          ];
          for (const version of VERSIONS) {
            const path = `/${version}/team/token-usage/historical`;
            for (const query of ['', '?byApiKey=false', '?byApiKey=0']) {
              const { body } = await trawl.get<TokenHistory>(path + query, { key });
              const expected = periods.map((period, index) => ({
                ...period,
                totalTokens: totals[index],
                apiKey: null,
              }));
              assert.deepEqual(body, { success: true, periods: expected }, query);
            }
            for (const query of ['?byApiKey=true', '?byApiKey=1']) {
              const { body } = await trawl.get<TokenHistory>(path + query, { key });
              const expected = periods.flatMap((period, index) => [
                { ...period, totalTokens: ofDefault?.[index], apiKey: 'default' },
                { ...period, totalTokens: ofLaptop?.[index], apiKey: 'laptop' },
              ]);
              assert.deepEqual(body, { success: true, periods: expected }, query);
            }
            // The usage of a team is not reported to others.
            const { body } = await trawl.get<TokenHistory>(path);
            assert.deepEqual(
              body.periods.map(({ totalTokens }) => totalTokens),
              [0],
            );
          }
        } finally {
          restore();
        }
      } finally {
        await store.close();
      }
    });

    test('counts only the tokens of Extract, and each job once', async () => {
      await using location = await create();
      await using trawl = await startTrawl(settingsOf(location.options));
      const store = await openStore(location.options);
      try {
        await trawl.scrape(site.page('/', html('<h1>Here</h1>')));
        const job = { jobId: newId(), tokens: 31 };
        const account = { teamId: FIRST_TEAM_ID, keyId: null };
        const charged = await Promise.all([1, 2, 3].map(() => chargeExtract(store, account, job)));
        assert.equal(charged.filter((one) => one).length, 1);
        for (const version of VERSIONS) {
          const { body } = await trawl.get<TokenHistory>(`/${version}/team/token-usage/historical`);
          assert.equal(body.periods.at(-1)?.totalTokens, 31);
          const credits = await trawl.get<{ periods: { totalCredits: number }[] }>(
            `/${version}/team/credit-usage/historical`,
          );
          // 31 tokens are three credits, with the last one partly used.
          assert.equal(credits.body.periods.at(-1)?.totalCredits, 1 + 3);
        }
        // Usage without a key is listed next to the key names.
        const { body } = await trawl.get<TokenHistory>('/v1/team/token-usage/historical?byApiKey=true');
        assert.deepEqual(
          body.periods.map(({ apiKey, totalTokens }) => ({ apiKey, totalTokens })),
          [
            { apiKey: 'TRAWL_API_KEY', totalTokens: 0 },
            { apiKey: null, totalTokens: 31 },
          ],
        );
      } finally {
        await store.close();
      }
    });

    test('is a 500 with success false and the cause when the store fails', async () => {
      await using location = await create();
      await using trawl = await startTrawl(settingsOf(location.options));
      await alter(location.options, 'drop table usage_days');
      for (const version of VERSIONS) {
        for (const [report, says] of [
          ['token-usage/historical', /failure while fetching the historical token usage/],
          ['credit-usage/historical', /failure while fetching the historical credit usage/],
        ] as const) {
          const { status, body } = await trawl.get<TokenHistory>(`/${version}/team/${report}`);
          assert.deepEqual({ status, success: body.success, code: body.code }, FAILED);
          assert.match(body.error, says);
          assert.doesNotMatch(body.error, /usage_days/, 'no internals');
        }
      }
    });
  });
}

const FAILED = { status: 500, success: false, code: 'INTERNAL_ERROR' };

describe('GET /team/token-usage/historical', () => {
  test('accepts true, false, 1 and 0 for byApiKey, and refuses anything else by name', async () => {
    await using trawl = await startTrawl();
    for (const version of VERSIONS) {
      for (const bad of ['', 'yes', 'TRUE', '2', '-1', 'null', 'true&byApiKey=false', '%00']) {
        const answer = await trawl.get(`/${version}/team/token-usage/historical?byApiKey=${bad}`);
        assert.equal(answer.status, 400, bad);
        assert.equal(answer.body.code, 'BAD_REQUEST');
        assert.match(answer.body.error, /byApiKey: must be true, false, 1 or 0/);
        assert.deepEqual(
          answer.body.details?.map(({ path }) => path),
          [['byApiKey']],
        );
      }
    }
  });

  test('requires a valid key and GET', async () => {
    await using trawl = await startTrawl();
    for (const version of VERSIONS) {
      const path = `/${version}/team/token-usage/historical`;
      for (const key of [null, `fc-${'0'.repeat(32)}`]) {
        const { status, headers } = await trawl.get(path, { key });
        assert.equal(status, 401);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer /);
      }
      assert.equal((await trawl.post(path, {})).status, 405);
    }
  });

  test('is also a 500 during a PostgreSQL outage, when other operations are a 503, and recovers afterwards', {
    skip: noPostgres,
  }, async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    await using trawl = await startTrawl({ DATABASE_URL: relay.url });
    relay.cut();
    for (const version of VERSIONS) {
      for (const report of ['token-usage/historical', 'credit-usage/historical', 'token-usage', 'credit-usage']) {
        const { status, body } = await trawl.get(`/${version}/team/${report}`);
        assert.deepEqual({ status, success: body.success, code: body.code }, FAILED);
      }
      assert.equal((await trawl.get(`/${version}/team/queue-status`)).status, 503);
    }
    relay.mend();
    assert.equal((await trawl.get('/v1/team/token-usage/historical')).status, 200);
  });
});

test('a changed billing anchor applies to past months too', async () => {
  await using trawl = await startTrawl();
  const store = await openStore({ dataDir: trawl.dataDir });
  try {
    for (const day of [1, 15, 31]) {
      await anchorBilling(store, (await findTeam(store, 'default')).id, day);
      const { body } = await trawl.get<TokenHistory>('/v1/team/token-usage/historical');
      const start = new Date(body.periods[0]?.startDate ?? '');
      const lastOfMonth = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
      assert.equal(start.getUTCDate(), Math.min(day, lastOfMonth));
    }
  } finally {
    await store.close();
  }
});

/** Changes the database behind the service's back. */
async function alter({ databaseUrl, dataDir }: StoreOptions, statement: string): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'trawl.db'));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
