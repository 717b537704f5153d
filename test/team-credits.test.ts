import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../src/clock.ts';
import { openStore } from '../src/store/open-store.ts';
import { type Account, reserveCredits } from '../src/team/credits.ts';
import { authenticate } from '../src/team/keys.ts';
import { setPlan } from '../src/team/operator-plans.ts';
import { anchorBilling, createTeam } from '../src/team/teams.ts';
import * as hostile from './support/hostile.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { addTeam, withStoreOf } from './support/team.ts';
import { startTrawl, type Trawl } from './support/trawl.ts';

interface CreditUsage {
  data: {
    remainingCredits: number;
    planCredits: number;
    billingPeriodStart: string;
    billingPeriodEnd: string;
  };
}

interface CreditUsageV1 {
  data: {
    remaining_credits: number;
    plan_credits: number;
    billing_period_start: string;
    billing_period_end: string;
  };
}

interface TokenUsage {
  data: { remainingTokens: number; planTokens: number };
}

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const page = site.page('/', html('<h1>Here</h1>'));

async function remaining(key: string, at: Trawl = trawl): Promise<number> {
  const { body } = await at.get<CreditUsage>('/v2/team/credit-usage', { key });
  return body.data.remainingCredits;
}

describe('a scrape is charged', () => {
  const PRICES: [string, string, object, number][] = [
    ['1 for a page', page, { maxAge: 0 }, 1],
    ['1 also from the cache', page, {}, 1],
    ['1 for a page that answers 404', site.page('/lost', { status: 404, body: html('<h1>Lost</h1>') }), {}, 1],
    ['1 for a page that answers 500', site.page('/broken', { status: 500, body: html('<h1>Broken</h1>') }), {}, 1],
    ['1 more with zero data retention', page, { zeroDataRetention: true }, 2],
    ['4 more with redaction', page, { redactPII: true }, 5],
    ['5 instead of 1 for a hit with lockdown', page, { lockdown: true }, 5],
    ['all of them together', page, { lockdown: true, redactPII: true, zeroDataRetention: true }, 10],
  ];
  test('what metadata.creditsUsed says', async () => {
    const key = await addTeam(trawl.dataDir, 'prices', 'free');
    let left = 1_000;
    for (const [name, url, options, credits] of PRICES) {
      const { metadata } = await trawl.scrape(url, options, { key });
      assert.equal(metadata.creditsUsed, credits, name);
      left -= credits;
      assert.equal(await remaining(key), left, name);
    }
  });

  test('nothing when it delivers no page, except 1 when lockdown finds no copy', async () => {
    const key = await addTeam(trawl.dataDir, 'failures', 'free');
    for (const body of [
      { url: site.page('/gone', hostile.hangUp) },
      { url: site.page('/silence', hostile.silence), timeout: 1000 },
      { url: 'http://nothing.invalid/' },
      { url: 'http://10.0.0.1/' },
      { url: page, minAge: 1e9 },
      { url: page, colour: 'blue' },
    ]) {
      await trawl.refusal(body, { key });
      assert.equal(await remaining(key), 1_000, JSON.stringify(body));
    }
    const { code } = await trawl.refusal({ url: site.url('/never'), lockdown: true }, { key });
    assert.equal(code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
    assert.equal(await remaining(key), 999);
  });
});

for (const { name, skip, create } of STORE_KINDS) {
  describe(`credits on ${name}`, { skip }, () => {
    test('that run out are a 402 before anything is fetched or recorded', async () => {
      await using location = await create();
      await using own = await startTrawl(settingsOf(location.options));
      const store = await openStore(location.options);
      const quiet = site.page(`/never-asked/${name}`, html('<h1>Never</h1>'));
      try {
        await setPlan(store, 'tiny', { monthlyCredits: 3 });
        const { key } = await createTeam(store, 'small', 'tiny');
        for (const version of ['v1', 'v2', 'v2']) await own.scrape(page, {}, { version, key });
        for (const version of ['v1', 'v2']) {
          const refusal = await own.refusal({ url: quiet }, { version, key });
          assert.deepEqual({ status: refusal.status, code: refusal.code }, { status: 402, code: 'PAYMENT_REQUIRED' });
          assert.match(refusal.error, /costs 1 credit\. The plan "tiny" has 3 per billing period: 3 are used\./);
          assert.match(refusal.error, /The next billing period begins on \d{4}-\d\d-\d\d; .*"trawl teams plan"/);
        }
        assert.ok(site.requests.every(({ path }) => path !== `/never-asked/${name}`));
        assert.equal(await remaining(key, own), 0);
        // Reports are free and still work.
        const { body } = await own.get<{ data: unknown[] }>('/v2/team/activity', { key });
        assert.equal(body.data.length, 3);
        // A changed plan applies at once.
        await setPlan(store, 'tiny', { monthlyCredits: 4 });
        await own.scrape(quiet, {}, { key });
        assert.equal((await own.refusal({ url: quiet }, { key })).status, 402);
        // Other teams are not affected.
        await own.scrape(page);
      } finally {
        await store.close();
      }
    });

    test('that are reserved cannot be spent, and become free when they are released or expire', async () => {
      await using location = await create();
      await using own = await startTrawl(settingsOf(location.options));
      const store = await openStore(location.options);
      try {
        await setPlan(store, 'tiny', { monthlyCredits: 10 });
        const { key } = await createTeam(store, 'small', 'tiny');
        const account: Account | null = await authenticate(store, key);
        assert.ok(account !== null);
        const [id, late] = [newId(), newId()];
        await reserveCredits(store, account, { id, credits: 9, ms: 3_600_000 });
        // Charging the same work again takes nothing more.
        await reserveCredits(store, account, { id, credits: 9, ms: 3_600_000 });
        await reserveCredits(store, account, { id: late, credits: 1, ms: 0 });
        await own.scrape(page, {}, { key });
        const refusal = await own.refusal({ url: page }, { key });
        assert.equal(refusal.status, 402);
        assert.match(refusal.error, /1 are used and 9 credits reserved/);
        await assert.rejects(reserveCredits(store, account, { id: newId(), credits: 1, ms: 1_000 }), {
          code: 'PAYMENT_REQUIRED',
        });
        assert.equal(await store.usage.release(account.teamId, id), true);
        assert.equal(await store.usage.release(account.teamId, id), false);
        assert.equal(await remaining(key, own), 9);
      } finally {
        await store.close();
      }
    });

    test('are charged only for the scrapes admitted when many run at once', async () => {
      await using location = await create();
      await using own = await startTrawl(settingsOf(location.options));
      const store = await openStore(location.options);
      try {
        await setPlan(store, 'tiny', { monthlyCredits: 20 });
        const { key } = await createTeam(store, 'small', 'tiny');
        const answers = await Promise.all(
          Array.from({ length: 60 }, () => own.post('/v2/scrape', { url: page }, { key })),
        );
        const done = answers.filter(({ status }) => status === 200).length;
        assert.ok(answers.every(({ status }) => status === 200 || status === 402));
        assert.ok(done >= 20);
        assert.equal(await remaining(key, own), 20 - done);
        assert.equal((await own.refusal({ url: page }, { key })).status, 402);
      } finally {
        await store.close();
      }
    });
  });
}

describe('the balance', () => {
  test('reports credits, the tokens they are worth and the billing period, in the field names of each version', async () => {
    const key = await addTeam(trawl.dataDir, 'balance', 'hobby');
    await withStoreOf(trawl.dataDir, (store) => anchorBilling(store, 'balance', 31));
    await trawl.scrape(page, {}, { key });
    const { body } = await trawl.get<CreditUsage>('/v2/team/credit-usage', { key });
    const { remainingCredits, planCredits, billingPeriodStart, billingPeriodEnd } = body.data;
    assert.deepEqual({ remainingCredits, planCredits }, { remainingCredits: 4_999, planCredits: 5_000 });
    const [start, end] = [Date.parse(billingPeriodStart), Date.parse(billingPeriodEnd)];
    assert.ok(start <= Date.now() && Date.now() < end);
    assert.match(billingPeriodStart, /T00:00:00\.000Z$/);

    const v1 = await trawl.get<CreditUsageV1>('/v1/team/credit-usage', { key });
    assert.deepEqual(v1.body.data, {
      remaining_credits: 4_999,
      plan_credits: 5_000,
      billing_period_start: billingPeriodStart,
      billing_period_end: billingPeriodEnd,
    });
    const tokens = await trawl.get<TokenUsage>('/v2/team/token-usage', { key });
    assert.deepEqual(tokens.body.data, {
      remainingTokens: 4_999 * 15,
      planTokens: 75_000,
      billingPeriodStart,
      billingPeriodEnd,
    });
    const v1Tokens = await trawl.get<{ data: object }>('/v1/team/token-usage', { key });
    assert.deepEqual(v1Tokens.body.data, {
      remaining_tokens: 4_999 * 15,
      plan_tokens: 75_000,
      billing_period_start: billingPeriodStart,
      billing_period_end: billingPeriodEnd,
    });
  });

  test('of a plan without a limit never runs out', async () => {
    await trawl.scrape(page);
    const { body } = await trawl.get<CreditUsage>('/v2/team/credit-usage');
    assert.equal(body.data.remainingCredits, 999_999_999);
    assert.equal(body.data.planCredits, 999_999_999);
    const tokens = await trawl.get<TokenUsage>('/v2/team/token-usage');
    assert.equal(tokens.body.data.remainingTokens, 999_999_999);
  });
});
