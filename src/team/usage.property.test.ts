import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../test/support/random.ts';
import { newCharge, newKeyRow, newTeamRow } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { UsageModel } from '../../test/support/usage-model.ts';
import { newId, useClock } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { openStore } from '../store/open-store.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { Store } from '../store/store.ts';
import { type Account, creditBalance, requireCredits, reserveCredits } from './credits.ts';
import { chargeExtract } from './extract-usage.ts';
import { usageHistory } from './usage-history.ts';

/** Random operations of all teams together. Each round of them runs concurrently, on several open stores. */
const OPERATIONS = 10_000;
const ROUND = 100;
const TEAMS = 3;
const LIMIT = 2_000;
const DAY_MS = 86_400_000;

/** Days on which periods begin and end, of short months and leap years. */
const EDGES = ['2023-12-31', '2024-01-31', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-31', '2024-04-30'];
const LATER_EDGES = ['2024-12-31', '2025-02-28', '2025-03-01', '2025-05-31', '2026-02-28', '2026-03-31', '2028-02-29'];

interface Team {
  account: Account;
  keyIds: [string, ...string[]];
  model: UsageModel;
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`usage in ${name}`, { skip }, () => {
    test(`is what a plain model says after ${OPERATIONS} random operations`, { timeout: 180_000 }, async () => {
      await using place = await create();
      const stores = await Promise.all([1, 2, 3].map(() => openStore(place.options)));
      const random = new Random(20_240_229);
      let time = Date.parse('2023-12-30T12:00:00Z');
      const restore = useClock(() => time);
      try {
        const teams = await Promise.all(
          Array.from({ length: TEAMS }, () => makeTeam(anyOf(stores, random), random, time)),
        );
        let operations = 0;
        for (const moment of moments(random, OPERATIONS / ROUND)) {
          time = moment;
          for (const team of teams) operations += await change(stores, team, random, time);
          const jobs = Array.from({ length: ROUND }, () => pick(teams, random));
          await chargeAtOnce(stores, jobs.slice(0, ROUND / 2), random, time);
          await reserveAtOnce(stores, jobs.slice(ROUND / 2, (ROUND * 3) / 4), random, time);
          await settleAtOnce(stores, jobs.slice((ROUND * 3) / 4), random, time);
          operations += jobs.length;
          for (const team of teams) await compare(anyOf(stores, random), team, time);
        }
        assert.ok(operations >= OPERATIONS);
        assert.ok(teams.every(({ model }) => model.entries.length > 1_000));
      } finally {
        restore();
        await Promise.all(stores.map((store) => store.close()));
      }
    });
  });
}

/**
 * Mostly forward from edge to edge: just before it, exactly at it, or at any time of its day. Sometimes back a little.
 */
function* moments(random: Random, count: number): Generator<number> {
  const edges = [...EDGES, ...LATER_EDGES].map((day) => Date.parse(day));
  for (let round = 0; round < count; round++) {
    const edge = edges[Math.floor((round / count) * edges.length)] ?? 0;
    yield edge + random.pick([-1, 0, 0, DAY_MS - 1, DAY_MS, random.below(DAY_MS), -random.below(3 * DAY_MS)]);
  }
}

async function makeTeam(store: Store, random: Random, at: number): Promise<Team> {
  const teamId = newId();
  const key = newKeyRow(teamId, { name: 'first', createdAt: at });
  const billingAnchor = Date.parse(random.pick(['2024-01-31', '2024-01-29', '2023-11-15']));
  await store.teams.make(newTeamRow(teamId, { createdAt: at, billingAnchor }), key);
  const model = new UsageModel(at, billingAnchor);
  model.keyNames.set(key.id, 'first');
  const plan = { name: 'test', concurrency: null, queuedJobs: null, requestsPerMinute: null, monthlyCredits: LIMIT };
  return {
    account: { teamId, keyId: key.id, plan, billingAnchor },
    keyIds: [key.id],
    model,
  };
}

/**
 * Sometimes adds a key, perhaps with an existing name, revokes one, or changes the anchor. Returns the number of
 * changes.
 */
async function change(stores: Store[], team: Team, random: Random, at: number): Promise<number> {
  const store = anyOf(stores, random);
  const { teamId } = team.account;
  let changes = 0;
  if (random.below(8) === 0 && team.keyIds.length < 8) {
    const key = newKeyRow(teamId, { name: random.pick(['laptop', 'server', 'Ünïcode 😀']), createdAt: at });
    await store.keys.add(key);
    team.keyIds.push(key.id);
    team.model.keyNames.set(key.id, key.name);
    changes += 1;
  }
  if (random.below(8) === 0) {
    // Its running work is still charged, and keeps its name.
    await store.keys.revoke(teamId, pick(team.keyIds, random), at);
    changes += 1;
  }
  if (random.below(6) === 0) {
    team.model.anchor = Date.parse(random.pick(['2024-01-31', '2024-01-30', '2024-02-29', '2021-07-01', '2024-06-17']));
    team.account = { ...team.account, billingAnchor: team.model.anchor };
    await store.teams.change(teamId, { billingAnchor: team.model.anchor });
    changes += 1;
  }
  return changes;
}

/** Charges, of scrapes and of Extract. Every third one is sent several times concurrently. */
async function chargeAtOnce(stores: Store[], teams: Team[], random: Random, at: number): Promise<void> {
  await Promise.all(
    teams.map(async (team) => {
      const keyId = random.below(10) === 0 ? null : pick(team.keyIds, random);
      const account = { ...team.account, keyId };
      const jobId = newId();
      const ofExtract = random.below(2) === 0;
      const tokens = ofExtract ? random.below(400) : 0;
      const credits = ofExtract ? Math.ceil(tokens / 15) : random.below(12);
      const charge: Charge = newCharge(account, { key: `scrape:${jobId}`, credits });
      const times = random.below(3) === 0 ? 4 : 1;
      const added = await Promise.all(
        Array.from({ length: times }, () => {
          const store = anyOf(stores, random);
          return ofExtract ? chargeExtract(store, account, { jobId, tokens }) : store.usage.charge(charge);
        }),
      );
      assert.equal(added.filter((one) => one).length, 1, 'repeated charges count once');
      team.model.entries.push({ keyName: nameOf(team, keyId), credits, tokens, at });
    }),
  );
}

/** Reservations that compete for the remaining credits. */
async function reserveAtOnce(stores: Store[], teams: Team[], random: Random, at: number): Promise<void> {
  const refused: { team: Team; credits: number }[] = [];
  const granted = new Set<Team>();
  for (const { model } of teams) model.forgetExpired(at);
  await Promise.all(
    teams.map(async (team) => {
      const [id, credits, ms] = [newId(), random.below(300), random.pick([1, DAY_MS, 40 * DAY_MS])];
      try {
        await reserveCredits(anyOf(stores, random), team.account, { id, credits, ms });
        team.model.reservations.set(id, { credits, expiresAt: at + ms });
        granted.add(team);
      } catch (error) {
        assert.ok(error instanceof TrawlError && error.code === 'PAYMENT_REQUIRED', String(error));
        refused.push({ team, credits });
      }
    }),
  );
  const taken = ({ model }: Team) => model.used(at) + model.reserved(at);
  for (const team of granted) assert.ok(taken(team) <= LIMIT, `${taken(team)} of ${LIMIT} are taken`);
  for (const { team, credits } of refused) assert.ok(taken(team) + credits > LIMIT, `${credits} would have fitted`);
}

/** Settles or releases reservations. Each has one owner, so that no two settle the same one. */
async function settleAtOnce(stores: Store[], teams: Team[], random: Random, at: number): Promise<void> {
  await Promise.all(
    teams.map(async (team) => {
      const [id] = team.model.reservations.keys();
      if (id === undefined) return;
      team.model.reservations.delete(id);
      const store = anyOf(stores, random);
      if (random.below(3) === 0) {
        await store.usage.release(team.account.teamId, id);
        return;
      }
      const tokens = random.below(2_000);
      const keyId = pick(team.keyIds, random);
      assert.equal(await chargeExtract(store, { ...team.account, keyId }, { jobId: id, tokens }), true);
      const credits = Math.ceil(tokens / 15);
      team.model.entries.push({ keyName: nameOf(team, keyId), credits, tokens, at });
    }),
  );
}

async function compare(store: Store, { account, model }: Team, at: number): Promise<void> {
  const [used, reserved] = [model.used(at), model.reserved(at)];
  const balance = await creditBalance(store, account);
  assert.equal(balance.remaining, LIMIT - used - reserved);
  assert.deepEqual(await usageHistory(store, account, false), model.history(at, false));
  assert.deepEqual(await usageHistory(store, account, true), model.history(at, true));

  const left = LIMIT - used - reserved;
  await assert.rejects(requireCredits(store, account, Math.max(left, 0) + 1), { code: 'PAYMENT_REQUIRED' });
  if (left >= 0) await requireCredits(store, account, left);
}

function nameOf(team: Team, keyId: string | null): string | null {
  return keyId === null ? null : (team.model.keyNames.get(keyId) ?? null);
}

function anyOf(stores: Store[], random: Random): Store {
  return pick(stores, random);
}

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random.below(items.length)];
  assert.ok(item !== undefined);
  return item;
}
