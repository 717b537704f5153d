import { now } from '../clock.ts';
import { Artifacts, type NewArtifact, type Ticket } from './artifacts/artifacts.ts';
import type { ByteKeeper } from './artifacts/byte-keeper.ts';
import { LargeResults } from './artifacts/large-results.ts';
import { BrowserProfiles } from './browser-profiles.ts';
import type { Runner } from './database.ts';
import { createJobStore } from './jobs.ts';
import type { LimitStore } from './limits/limit-store.ts';
import { listActivity } from './operations/activity.ts';
import { type Call, recordCall } from './operations/calls.ts';
import { type Charge, findLastSuccess } from './operations/charges.ts';
import { markTeamDeleted, measureTeam } from './operations/delete-team.ts';
import { readFigures, sumCache } from './operations/figures.ts';
import { countKeylessRequest, type KeylessRequest } from './operations/keyless.ts';
import { addKey, findKey, listKeys, type NewKey, revokeKey } from './operations/keys.ts';
import type { PageCursor } from './operations/pages.ts';
import { findPlan, listPlans, putPlan, removePlan, type StoredPlan } from './operations/plans.ts';
import { listPrices, putPrice, removePrice, type StoredPrice } from './operations/prices.ts';
import { type DaySpan, type NewReservation, readBalance, release, reserve, settle } from './operations/reservations.ts';
import { dueSchedules, type NewSchedule, putSchedule, type Schedule, takeTurn } from './operations/schedules.ts';
import { changeTeam, findTeam, listTeams, makeTeam, type NewTeam, type StoredTeam } from './operations/teams.ts';
import { findUsageStart, sumUsage } from './operations/usage.ts';
import { getCopy, getDocument, listUrls, putCopy, type StoredCopy } from './pages.ts';
import { checkReady } from './ready.ts';
import { addScrape, getScrapeResult, type NewScrape } from './scrapes.ts';
import { ServiceSecret } from './sealing/service-secret.ts';
import { Sealing } from './sealing.ts';
import { type BytesAway, untilKnown } from './store-away.ts';
import { deleteSomeTeam, type SweepLimits, sweep } from './sweep.ts';
import { createWebhookStore } from './webhooks.ts';

/**
 * All stored data, in either database. A write is durable when it resolves. Everything may reject with
 * STORE_UNAVAILABLE, and a write that violates the schema rejects with a ConstraintError.
 */
export type Store = ReturnType<typeof createStore>;

export interface StoreParts {
  runner: Runner;
  limits: LimitStore;
  keeper: ByteKeeper;
  /** Called when the keeper begins to fail for large results, which then stay in the database. */
  onBytesAway?: ((error: BytesAway) => void) | undefined;
}

export function createStore({ runner, limits, keeper, onBytesAway = () => {} }: StoreParts, secret: string) {
  const serviceSecret = new ServiceSecret(secret);
  const sealing = new Sealing(runner, serviceSecret);
  const artifacts = new Artifacts(runner, keeper, serviceSecret);
  const largeResults = new LargeResults(runner, keeper, onBytesAway);
  const documents = { runner, sealing, largeResults };
  return {
    teams: {
      /**
       * Creates the team with its first key; of several callers exactly one does. Resolves with whether this call did.
       */
      make: (team: NewTeam, key: NewKey) => runner.write(makeTeam, { team, key }),
      /** Every team, oldest first. */
      list: () => runner.read(listTeams, undefined),
      /** The team with this id; null if there is none. */
      find: (id: string) => runner.read(findTeam, id),
      /** Changes the given fields of a team. Resolves with whether the team exists. */
      change: (id: string, change: Partial<Pick<StoredTeam, 'plan' | 'billingAnchor' | 'allowList'>>) =>
        runner.writeOnce(changeTeam, { ...change, id }),
      /** How much data a team has, to show before it is deleted. */
      measure: (id: string) => runner.read(measureTeam, id),
      /** Marks a team as deleted: its keys are refused from now on. Resolves with whether the team exists. */
      markDeleted: (id: string, at: number) => runner.writeOnce(markTeamDeleted, { id, at }),
      /** Removes some data of a team that is marked as deleted. Sweeps do the same, until the team is gone. */
      deleteSome: (id: string, at: number) => deleteSomeTeam({ runner, artifacts }, at, id),
    },

    keys: {
      /** Adds a key unless its hash is known, even from a revoked key. Resolves with whether it was added. */
      add: (key: NewKey) => runner.writeOnce(addKey, key),
      /** The key of this hash with its team, revoked or not; null when there is none. */
      find: (hash: string) => runner.read(findKey, hash),
      /** Every key of a team, oldest first, including revoked ones. */
      list: (teamId: string) => runner.read(listKeys, teamId),
      /** Revokes a key. Resolves with false if there is none, or if it was already revoked. */
      revoke: (teamId: string, id: string, at: number) => runner.writeOnce(revokeKey, { teamId, id, at }),
    },

    /** The operator's own plans; the built-in ones are in team/. */
    plans: {
      list: () => runner.read(listPlans, undefined),
      find: (name: string) => runner.read(findPlan, name),
      /** Adds a plan, or replaces the one with this name. */
      put: (plan: StoredPlan) => runner.writeOnce(putPlan, plan),
      /** Removes a plan. Removes one that teams are on only if `whileUsed`. Resolves with whether it was removed. */
      remove: (name: string, { whileUsed }: { whileUsed: boolean }) =>
        runner.writeOnce(removePlan, { name, whileUsed }),
    },

    /** The operator's own prices; the built-in ones are in team/. */
    prices: {
      list: () => runner.read(listPrices, undefined),
      put: (price: StoredPrice) => runner.writeOnce(putPrice, price),
      /** Resolves with whether there was one. */
      remove: (name: string) => runner.writeOnce(removePrice, name),
    },

    /** What teams use: the ledger of charges, its sums, and reservations. */
    usage: {
      /**
       * Adds a charge and releases its reservation. Repeating it with the same key changes nothing. Resolves with
       * whether it was added.
       */
      charge: (charge: Charge, reservationId: string | null = null) => runner.write(settle, { charge, reservationId }),
      /** When the team last received a scrape or a page of a job; null if it never did. */
      lastSuccess: (teamId: string) => runner.read(findLastSuccess, teamId),
      /** Credits used in these days, and reserved at `at`. */
      balance: (teamId: string, span: DaySpan, at: number) => runner.read(readBalance, { teamId, span, at }),
      /** When the team was created and first used anything; null if there is no such team. */
      start: (teamId: string) => runner.read(findUsageStart, teamId),
      /** The usage in each span of days, by key. Leaves out spans without usage. */
      sums: (teamId: string, spans: readonly DaySpan[]) => runner.read(sumUsage, { teamId, spans }),
      /** Reserves credits if used, reserved and requested credits together do not exceed `limit`. */
      reserve: (reservation: NewReservation, span: DaySpan, limit: number) =>
        runner.write(reserve, { reservation, span, limit }),
      /** Releases a reservation. Resolves with whether there was one. */
      release: (teamId: string, id: string) => runner.writeOnce(release, { teamId, id }),
    },

    activity: {
      /** Records a finished call that leaves no result behind, with its charge: all or nothing. */
      record: (call: Call) => untilKnown(() => runner.write(recordCall, call)),
      /** The newest calls of a team: of one endpoint or all, and older than the one with the id `before`. */
      list: (query: { teamId: string; endpoint: string | null; before: string | null; limit: number }) =>
        runner.read(listActivity, query),
    },

    /** The page cache. Teams never share a copy. */
    pages: {
      /** The copy; null if there is none. */
      get: (teamId: string, key: string) => getCopy(runner, teamId, key),
      /** A document of this shape that was made from the copy; else the copy; else null. */
      getDocument: (teamId: string, key: string, shape: string) => getDocument(runner, teamId, key, shape),
      /** Stores a copy and replaces an older one. */
      put: (teamId: string, key: string, copy: StoredCopy) => putCopy(runner, teamId, key, copy),
      /**
       * Addresses of copies on hosts of a domain; `next` is where to continue. May include other domains with the same
       * beginning.
       */
      ofDomain: (teamId: string, domain: string, page: { after: PageCursor | null; limit: number }) =>
        listUrls(runner, teamId, domain, page),
    },

    scrapes: {
      /** Records a finished scrape, its activity and its charge: all or nothing. */
      record: (scrape: NewScrape) => addScrape(documents, scrape),
      /**
       * A scrape of the team that has not expired, or null. The result of a call without a key is only for its client.
       */
      get: (teamId: string, id: string, client: string | null = null) =>
        getScrapeResult(documents, { teamId, client, id }),
    },

    /** Bytes that belong to a document but are stored outside it. */
    artifacts: {
      /** Stores the bytes. Resolves with a ticket that gives anyone access until it expires. */
      put: (artifact: NewArtifact) => artifacts.put(artifact),
      /** Throws FORBIDDEN for a ticket with a wrong signature, and NOT_FOUND for one that has expired. */
      open: (ticket: Ticket) => artifacts.open(ticket),
    },

    /** What a browser keeps between the calls of a team. */
    profiles: new BrowserProfiles(runner, serviceSecret),

    jobs: createJobStore(documents, limits),

    webhooks: createWebhookStore(documents),

    limits,

    keyless: {
      /**
       * Counts one request of a client on a day. Resolves with the new count, or with null if it would exceed the
       * limit.
       */
      count: (request: KeylessRequest) => runner.writeOnce(countKeylessRequest, request),
    },

    /** Recurring work. */
    schedules: {
      /** Adds a schedule, or replaces the one with its id. An unchanged schedule keeps its turn. */
      put: (schedule: NewSchedule) => runner.write(putSchedule, schedule),
      /** Schedules whose turn is due, the most overdue first. */
      due: (at: number, limit: number) => runner.read(dueSchedules, { at, limit }),
      /** Moves a schedule to its next turn. Resolves with whether the turn was still open: only one caller gets it. */
      take: ({ team, id, nextAt: turn }: Schedule, nextAt: number) =>
        runner.writeOnce(takeTurn, { team, id, turn, nextAt }),
    },

    /**
     * Removes some data that has expired or exceeds its size limit, and frees disk space. Resolves with whether it
     * removed anything.
     */
    sweep: (limits: SweepLimits, onError: (error: unknown) => void = () => {}) =>
      sweep({ runner, sealing, artifacts }, limits, onError),

    /** Waiting and running work, for all teams together. */
    figures: () => runner.read(readFigures, now()),
    /** Stored size of the cache, in bytes. Read-only, but runs on the writer thread because it takes long. */
    cacheBytes: () => runner.writeOnce(sumCache, undefined),
    /** Free space on the disk; null if unknown. */
    freeBytes: () => runner.freeBytes(),

    /** Resolves when the database has written to its disk, and enough space is left. */
    ready: () => checkReady(runner),

    /** Finishes pending writes and closes the database. Later calls are rejected. */
    async close() {
      await artifacts.close();
      await runner.close();
    },
  };
}
