import type { z } from 'zod';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { compress } from '../store/compression.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { KindEvent } from '../store/operations/jobs/webhook-events.ts';
import type { Store } from '../store/store.ts';
import { teamCaller } from '../team/keys.ts';
import { type Cost, chargedCosts } from '../team/prices.ts';
import type { JobKind, JobKindOnTheWire } from './job-kind.ts';
import { JOB_EVENTS } from './job-kind.ts';
import type { Turn } from './schedules.ts';
import { type JobCall, type JobServices, startJob } from './start-job.ts';
import type { JobTask, TaskOutcome } from './task.ts';

/** The outcome of a task of a defined kind. A failure is thrown as a TrawlError. */
export type Outcome<Payload, Result> =
  | {
      type: 'done';
      result: Result;
      costs: readonly Cost[];
      found?: readonly NewPayload<Payload>[];
      events?: readonly JobEvent[];
    }
  /** Continues at `until`, in milliseconds since the epoch, with this payload. Holds no slot until then. */
  | { type: 'waits'; until: number; payload: Payload; costs: readonly Cost[]; events?: readonly JobEvent[] };

/** Work to do. A key is unique within a job; a task without a key is always a new one. */
export interface NewPayload<Payload> {
  payload: Payload;
  key?: string;
  /** The unit of politeness: host and port. */
  host?: string;
}

/** An event for the webhook of the job. */
export interface JobEvent {
  type: string;
  data: unknown;
}

export interface Conclusion {
  /** Any JSON value. */
  result: unknown;
  costs: readonly Cost[];
  events?: readonly JobEvent[];
}

/** A kind of job in the terms of its capability: values instead of text and bytes. */
export interface KindDefinition<Options, Payload, Result> {
  name: string;
  /** Parses stored options, including those of an older version. */
  options: z.ZodType<Options>;
  payload: z.ZodType<Payload>;
  result: z.ZodType<Result>;
  /** The maximum cost of a task and of the conclusion, reserved when the job starts. */
  maxCredits: { task: number; conclusion: number };
  run(
    task: { payload: Payload; options: Options; about: JobTask },
    signal: AbortSignal,
  ): Promise<Outcome<Payload, Result>>;
  /** Makes the job's own result when its tasks have ended. A thrown TrawlError fails the job. */
  conclude?(
    job: { options: Options; results: AsyncIterable<Result>; about: JobTask },
    signal: AbortSignal,
  ): Promise<Conclusion>;
  /** What job a turn of a schedule starts; `text` is what the schedule says. Without it nothing can be scheduled. */
  scheduled?(text: string | null): { options: Options; payloads: readonly NewPayload<Payload>[] };
  wire: JobKindOnTheWire;
}

/** What starts a job of a defined kind. */
export type KindCall<Options, Payload> = Pick<
  JobCall,
  'caller' | 'request' | 'webhook' | 'zeroDataRetention' | 'origin' | 'target'
> & { options: Options; payloads: readonly NewPayload<Payload>[] };

/** Documents that a conclusion reads from the store at once. */
const STEP = 100;

/** Makes a kind of job from its definition. */
export function defineKind<Options, Payload, Result>(definition: KindDefinition<Options, Payload, Result>) {
  const { name, wire, maxCredits } = definition;
  const readOptions = (task: JobTask) => definition.options.parse(JSON.parse(task.job.options));
  const toTask = ({ payload, key, host }: NewPayload<Payload>) => {
    return { key: key ?? null, payload: JSON.stringify(payload), host: host ?? null, depth: 0 };
  };
  // The key names this try. The charge is written in the transaction that ends the try, which happens once.
  const chargeOf = ({ job, key, tryId }: JobTask, costs: readonly Cost[]): Charge | null => {
    const { id, teamId, keyId } = job;
    const charged = { teamId, keyId, capability: name, jobId: id, tokens: 0, chargedAt: now() };
    return costs.length === 0 ? null : { ...charged, key: `task:${id}:${key}:${tryId}`, ...chargedCosts(costs) };
  };

  async function runTask(about: JobTask, signal: AbortSignal): Promise<TaskOutcome> {
    const payload = definition.payload.parse(JSON.parse(about.payload));
    const outcome = await definition.run({ payload, options: readOptions(about), about }, signal);
    const events = outcome.events?.map(toEvent) ?? [];
    const charge = chargeOf(about, outcome.costs);
    if (outcome.type === 'waits') {
      return { type: 'waits', runAt: outcome.until, payload: JSON.stringify(outcome.payload), charge, events };
    }
    const document = await compress(JSON.stringify(outcome.result));
    return { type: 'done', document, charge, found: outcome.found?.map(toTask) ?? [], events };
  }

  async function conclude(store: Store, about: JobTask, signal: AbortSignal): Promise<TaskOutcome> {
    if (definition.conclude === undefined) throw new TrawlError('INTERNAL_ERROR', `A job "${name}" has no conclusion.`);
    const results = readResults(store, about, definition.result);
    const {
      result,
      costs,
      events = [],
    } = await definition.conclude({ options: readOptions(about), results, about }, signal);
    const document = await compress(JSON.stringify(result));
    return { type: 'done', document, charge: chargeOf(about, costs), found: [], events: events.map(toEvent) };
  }

  /** Starts a job of the kind. Returns its id. Throws the same errors as `startJob`. */
  function start(services: JobServices, { options, payloads, ...call }: KindCall<Options, Payload>): Promise<string> {
    return startJob(services, {
      ...call,
      kind: name,
      endpoint: name,
      events: [...JOB_EVENTS, ...(wire.events ?? [])],
      options: JSON.stringify(options),
      formats: [],
      tasks: payloads.map(toTask),
      taskCredits: maxCredits.task,
      taskLimit: null,
      maxConcurrency: null,
      delay: 0,
      ...(definition.conclude !== undefined && { conclusion: { credits: maxCredits.conclusion } }),
      at: now(),
    });
  }

  /** Starts the job of a turn, once. If its team is gone, the turn is only taken. */
  async function runTurn(services: JobServices, { schedule, id, take }: Turn): Promise<void> {
    const { teamId, options } = schedule;
    const caller = teamId === null ? null : await teamCaller(services.store, teamId);
    const job = definition.scheduled?.(options);
    if (caller !== null && job !== undefined) {
      const request = { key: `turn ${id}`, hash: '' };
      await start(services, { ...SCHEDULED, ...job, caller, request });
    }
    await take();
  }

  return {
    start,
    /** The kind for the registry. */
    register(services: JobServices): JobKind {
      return {
        name,
        wire,
        run: (task, signal) =>
          task.role === 'conclusion' ? conclude(services.store, task, signal) : runTask(task, signal),
        ...(definition.scheduled !== undefined && { onTurn: (turn: Turn) => runTurn(services, turn) }),
      };
    },
  };
}

/** The request fields of a job that a schedule starts. */
const SCHEDULED = {
  webhook: null,
  zeroDataRetention: false,
  target: null,
  origin: { apiVersion: 'v2' as const, origin: 'schedule', integration: null, auditUsername: null },
};

function toEvent({ type, data }: JobEvent): KindEvent {
  return { type, data: JSON.stringify(data) };
}

async function* readResults<Result>(store: Store, { job }: JobTask, schema: z.ZodType<Result>): AsyncGenerator<Result> {
  for (let skip = 0; ; ) {
    const documents = await store.jobs.results(job, { skip, limit: STEP });
    for (const document of documents) yield schema.parse(JSON.parse(document));
    if (documents.length === 0) return;
    skip += documents.length;
  }
}
