import { now } from '../clock.ts';
import { Artifacts, type NewArtifact, type Ticket } from './artifacts/artifacts.ts';
import type { ByteKeeper } from './artifacts/byte-keeper.ts';
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
import { untilKnown } from './store-away.ts';
import { deleteSomeTeam, type SweepLimits, sweep } from './sweep.ts';
import { createWebhookStore } from './webhooks.ts';

/**
 * Everything that is kept, whichever database keeps it. What a write resolves is durable. Everything may reject with
 * STORE_UNAVAILABLE, and a write that the schema refuses with a ConstraintError.
 */
export type Store = ReturnType<typeof createStore>;

export function createStore(
  { runner, limits, keeper }: { runner: Runner; limits: LimitStore; keeper: ByteKeeper },
  secret: string,
) {
  const serviceSecret = new ServiceSecret(secret);
  const sealing = new Sealing(runner, serviceSecret);
  const artifacts = new Artifacts(runner, keeper, serviceSecret);
  return {
    teams: {
      /** Makes the team with its first key, exactly once whoever else tries. Resolves with whether this call did. */
      make: (team: NewTeam, key: NewKey) => runner.write(makeTeam, { team, key }),
      /** Every team, the oldest first. */
      list: () => runner.read(listTeams, undefined),
      /** The team with this id, or null. */
      find: (id: string) => runner.read(findTeam, id),
      /** Changes what is given of a team. Resolves with whether there is such a team. */
      change: (id: string, change: Partial<Pick<StoredTeam, 'plan' | 'billingAnchor' | 'allowList'>>) =>
        runner.writeOnce(changeTeam, { ...change, id }),
      /** What a team has stored, to show before it is deleted. */
      measure: (id: string) => runner.read(measureTeam, id),
      /** Marks a team as deleted: its keys are refused from then on. Resolves with whether there is such a team. */
      markDeleted: (id: string, at: number) => runner.writeOnce(markTeamDeleted, { id, at }),
      /** Removes some of what a team that is marked as deleted has. Sweeps do the same, until the team is gone. */
      deleteSome: (id: string, at: number) => deleteSomeTeam({ runner, artifacts }, at, id),
    },

    keys: {
      /** Adds a key unless its hash is known, also of a revoked one. Resolves with whether it was added. */
      add: (key: NewKey) => runner.writeOnce(addKey, key),
      /** The key of this hash with its team, revoked or not; null when there is none. */
      find: (hash: string) => runner.read(findKey, hash),
      /** Every key of a team, the oldest first, revoked ones too. */
      list: (teamId: string) => runner.read(listKeys, teamId),
      /** Revokes a key. Resolves with false when there is none, or when it was revoked before. */
      revoke: (teamId: string, id: string, at: number) => runner.writeOnce(revokeKey, { teamId, id, at }),
    },

    /** The operator's own plans; the built-in ones are in team/. */
    plans: {
      list: () => runner.read(listPlans, undefined),
      find: (name: string) => runner.read(findPlan, name),
      /** Adds a plan, or puts it in the place of the one with this name. */
      put: (plan: StoredPlan) => runner.writeOnce(putPlan, plan),
      /** Removes a plan; one that teams are on only if `whileUsed`. Resolves with whether it was removed. */
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

    /** What teams use: the ledger of charges, its sums, and what is set aside. */
    usage: {
      /**
       * Adds a charge, and gives back what was set aside for it. A charge with a key that is known changes nothing.
       * Resolves with whether it was added.
       */
      charge: (charge: Charge, reservationId: string | null = null) => runner.write(settle, { charge, reservationId }),
      /** When the last scrape or page of a job was delivered to the team; null if none was. */
      lastSuccess: (teamId: string) => runner.read(findLastSuccess, teamId),
      /** Credits used in these days, and set aside at `at`. */
      balance: (teamId: string, span: DaySpan, at: number) => runner.read(readBalance, { teamId, span, at }),
      /** When the team was made and first used something; null when there is no such team. */
      start: (teamId: string) => runner.read(findUsageStart, teamId),
      /** What was used in each span of days, by key; nothing for a span without use. */
      sums: (teamId: string, spans: readonly DaySpan[]) => runner.read(sumUsage, { teamId, spans }),
      /** Sets credits aside if used, set aside and wanted together are at most `limit`. */
      reserve: (reservation: NewReservation, span: DaySpan, limit: number) =>
        runner.write(reserve, { reservation, span, limit }),
      /** Gives back what was set aside. Resolves with whether there was anything. */
      release: (teamId: string, id: string) => runner.writeOnce(release, { teamId, id }),
    },

    activity: {
      /** Records a call that has ended and leaves no result behind, with its charge: all or nothing. */
      record: (call: Call) => untilKnown(() => runner.write(recordCall, call)),
      /** The newest calls of a team, of one endpoint or all, older than the one with the id `before`. */
      list: (query: { teamId: string; endpoint: string | null; before: string | null; limit: number }) =>
        runner.read(listActivity, query),
    },

    /** The page cache. No copy is ever shared between teams. */
    pages: {
      /** The copy, or null. */
      get: (teamId: string, key: string) => getCopy(runner, teamId, key),
      /** A document of this shape that was made of the copy; else the copy, or null. */
      getDocument: (teamId: string, key: string, shape: string) => getDocument(runner, teamId, key, shape),
      /** Stores a copy in the place of an older one. */
      put: (teamId: string, key: string, copy: StoredCopy) => putCopy(runner, teamId, key, copy),
      /** Addresses of copies on hosts of a domain, perhaps of others with a like name; `next` is the place to go on after. */
      ofDomain: (teamId: string, domain: string, page: { after: PageCursor | null; limit: number }) =>
        listUrls(runner, teamId, domain, page),
    },

    scrapes: {
      /** Records a scrape that has ended, its activity and its charge: all or nothing. */
      record: (scrape: NewScrape) => addScrape(runner, sealing, scrape),
      /** A scrape of the team that is not over its time, or null; of a call without a key, for its client alone. */
      get: (teamId: string, id: string, client: string | null = null) =>
        getScrapeResult(runner, sealing, { teamId, client, id }),
    },

    /** Bytes that belong to a document and do not stand in it. */
    artifacts: {
      /** Keeps the bytes, and gives the ticket by which anybody can fetch them until their time is over. */
      put: (artifact: NewArtifact) => artifacts.put(artifact),
      /** Throws FORBIDDEN for a ticket that is not from here, and NOT_FOUND for one whose time is over. */
      open: (ticket: Ticket) => artifacts.open(ticket),
    },

    jobs: createJobStore(runner, limits, sealing),

    webhooks: createWebhookStore(runner, sealing),

    limits,

    keyless: {
      /** Counts one request of a client on a day. Resolves with how many there are, or with null when it would be one too many. */
      count: (request: KeylessRequest) => runner.writeOnce(countKeylessRequest, request),
    },

    /** What recurs. */
    schedules: {
      /** Adds a schedule, or puts it in the place of the one with its id. One that stays as it is keeps its turn. */
      put: (schedule: NewSchedule) => runner.write(putSchedule, schedule),
      /** Schedules whose turn has come, those that wait the longest first. */
      due: (at: number, limit: number) => runner.read(dueSchedules, { at, limit }),
      /** Moves a schedule on to its next turn. Resolves with whether its turn was still there: of several callers one gets it. */
      take: ({ team, id, nextAt: turn }: Schedule, nextAt: number) =>
        runner.writeOnce(takeTurn, { team, id, turn, nextAt }),
    },

    /** Removes some of what is over its time or has no room, and gives disk back. Resolves with whether it removed anything. */
    sweep: (limits: SweepLimits, onError: (error: unknown) => void = () => {}) =>
      sweep({ runner, sealing, artifacts }, limits, onError),

    /** What waits, for all teams together. */
    figures: () => runner.read(readFigures, now()),
    /** Bytes of cached pages as they are stored. Changes nothing, and is done where writes are because it takes its time. */
    cacheBytes: () => runner.writeOnce(sumCache, undefined),
    /** Room on the disk; null where that is not known here. */
    freeBytes: () => runner.freeBytes(),

    /** Resolves when the database has written something to its disk, and room is left on it. */
    ready: () => checkReady(runner),

    /** Finishes the writes that are on their way to the database, and lets go of it. What comes later is refused. */
    async close() {
      await artifacts.close();
      await runner.close();
    },
  };
}
