import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.ts';
import type { Poster } from '../fetch/types.ts';
import type { ClaimedEvent, DeliveryEnd } from '../store/operations/jobs/deliver-events.ts';
import type { Store } from '../store/store.ts';
import { BytesAway, isUnavailable } from '../store/store-away.ts';
import { deliver, failed } from './deliver.ts';
import { documentOf, eventBody } from './event-body.ts';

/** Concurrent deliveries. A receiver that hangs holds one for 10 s; waiting costs a socket. */
const SLOTS = 32;
/** Concurrent deliveries of one team: four have to hang before others wait. */
const TEAM_SLOTS = 8;
/** An attempt takes at most 10 s. What this process holds when it is killed becomes due again after this. */
const LEASE_MS = 15_000;
/** Another process may have ended a task, and a pause may be over. */
const POLL_MS = 200;
/** Pause after a failure of the store, up to doubled at random. */
const PAUSE_MS = 500;
/** How long to wait for running deliveries at the end. Those that take longer are repeated by others. */
const GRACE_MS = 2_000;
const MAX_IGNORED = 10_000;

export interface CourierOptions {
  store: Store;
  poster: Poster;
  /** The name of jobs of a kind in events, from the contract. */
  prefixOf: (kind: string) => string;
  /** Called with the outcome of each attempt. */
  onTried: (result: 'delivered' | 'retried' | 'failed') => void;
  /** Called with what the store refuses. */
  onError: (error: unknown, what: string) => void;
}

/**
 * Delivers the events of jobs to their webhooks: many jobs at a time, and for each job one event after the other. It
 * does not use the slots of tasks, so that a slow receiver delays only its own events.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #running = new Map<Promise<void>, string>();
  /** Webhooks whose deliveries the store cannot record: repeating one would repeat it forever. */
  readonly #ignored = new Set<number>();
  #wake = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#claimOn();
  }

  /** Delivers at once instead of waiting for the next poll. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Claims nothing more, waits a moment for running deliveries, and returns the rest. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    const grace = setTimeout(() => this.#abandon.abort(), GRACE_MS);
    await Promise.all(this.#running.keys());
    clearTimeout(grace);
  }

  async #claimOn(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Created before the poll, so that no change after it is missed.
      this.#wake = Promise.withResolvers();
      try {
        if (!(await this.#claim())) await this.#waitToPoll();
      } catch (error) {
        this.#options.onError(error, 'claiming webhook events failed; retrying');
        await sleep(PAUSE_MS * (1 + Math.random()));
      }
    }
  }

  /** Returns whether trying again at once may be worthwhile. */
  async #claim(): Promise<boolean> {
    const { webhooks } = this.#options.store;
    const limit = SLOTS - this.#running.size;
    if (limit === 0) return false;
    const nextAt = await webhooks.nextAt();
    if (nextAt === null || nextAt > now()) return false;
    const at = now();
    const underWay = [...Map.groupBy(this.#running.values(), (teamId) => teamId)].map(
      ([teamId, events]) => [teamId, events.length] as const,
    );
    const events = await webhooks.claim({ at, limit, leaseUntil: at + LEASE_MS, perTeam: TEAM_SLOTS, underWay });
    for (const event of events) this.#begin(event);
    return events.length > 0;
  }

  async #waitToPoll(): Promise<void> {
    const timer = setTimeout(() => this.wake(), POLL_MS);
    await this.#wake.promise;
    clearTimeout(timer);
  }

  #begin(event: ClaimedEvent): void {
    const running = this.#run(event)
      // Its lease will expire, and then it is due again.
      .catch((error) => this.#options.onError(error, 'a webhook event was not delivered; retrying'))
      .finally(() => {
        this.#running.delete(running);
        this.wake();
      });
    this.#running.set(running, event.teamId);
  }

  async #run(event: ClaimedEvent): Promise<void> {
    if (this.#ignored.has(event.webhook)) return;
    const end = await this.#deliver(event);
    try {
      await this.#settle(event, end);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#options.onError(error, 'the store refused the outcome of a delivery; failing the event');
      await this.#giveUp(event);
    }
  }

  async #deliver(event: ClaimedEvent): Promise<DeliveryEnd> {
    const { store, poster, prefixOf, onError } = this.#options;
    try {
      const seq = documentOf(event);
      const document = seq === null ? null : await store.webhooks.document(event, seq);
      return await deliver(poster, event, eventBody(event, prefixOf(event.kind), document), this.#abandon.signal);
    } catch (error) {
      // A large document that cannot be read now is not the fault of the receiver.
      if (isUnavailable(error) || error instanceof BytesAway) throw error;
      onError(error, 'a webhook event failed inside the service');
      return failed(event, null, 'Something went wrong inside the service.');
    }
  }

  /** Moves on to the next event. If the store refuses that too, this process delivers nothing more to this webhook. */
  async #giveUp(event: ClaimedEvent): Promise<void> {
    const error = 'The outcome of the delivery could not be stored.';
    try {
      await this.#settle(event, { type: 'failed', status: null, error, runAt: null });
    } catch (refusal) {
      if (isUnavailable(refusal)) throw refusal;
      this.#options.onError(refusal, 'the store refused the failure of an event; ignoring its webhook from now on');
      if (this.#ignored.size >= MAX_IGNORED) this.#ignored.clear();
      this.#ignored.add(event.webhook);
    }
  }

  async #settle(event: ClaimedEvent, end: DeliveryEnd): Promise<void> {
    const { store, onTried } = this.#options;
    await store.webhooks.settle({ event, at: now(), end });
    if (end.type === 'delivered') onTried('delivered');
    if (end.type === 'failed') onTried(end.runAt === null ? 'failed' : 'retried');
  }
}
