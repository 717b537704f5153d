import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.ts';
import type { Poster } from '../fetch/types.ts';
import type { ClaimedEvent, DeliveryEnd } from '../store/operations/jobs/deliver-events.ts';
import type { Store } from '../store/store.ts';
import { isUnavailable } from '../store/store-away.ts';
import { deliver, failed } from './deliver.ts';
import { documentOf, eventBody } from './event-body.ts';

/** Events under way at the same time. A receiver that hangs holds one for 10 s; to wait costs a socket. */
const SLOTS = 32;
/** Those of one team: four have to hang before others wait. */
const TEAM_SLOTS = 8;
/** A try takes 10 s at the most. What this process holds when it is killed is due again then. */
const LEASE_MS = 15_000;
/** Another process may have ended a task, and a pause may be over. */
const LOOK_MS = 200;
/** After the store has failed, up to twice as long by chance. */
const PAUSE_MS = 500;
/** How long deliveries are waited for at the end. Those that take longer are made again by others. */
const GRACE_MS = 2_000;
const MOST_SET_ASIDE = 10_000;

export interface CourierOptions {
  store: Store;
  poster: Poster;
  /** What the contract calls jobs of a kind in events. */
  prefixOf: (jobKind: string) => string;
  /** Told what came of each try. */
  onTried: (result: 'delivered' | 'retried' | 'failed') => void;
  /** Told of what the store refuses. */
  onError: (error: unknown, what: string) => void;
}

/**
 * Delivers the events of jobs to their webhooks: many jobs at a time, of each one event after the other. It has nothing to
 * do with the slots of tasks, so that a slow receiver holds up nothing but its own events.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #running = new Map<Promise<void>, string>();
  /** Webhooks that the store lets nothing be noted of: another delivery would be one of any number. */
  readonly #setAside = new Set<number>();
  #wake = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#claimOn();
  }

  /** There may be something to deliver: not to wait until it is looked for. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Claims nothing more, waits a moment for what is under way, and hands the rest back. */
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
      // Made anew before the look: what happens from here on is not missed.
      this.#wake = Promise.withResolvers();
      try {
        if (!(await this.#claim())) await this.#waitToLook();
      } catch (error) {
        this.#options.onError(error, 'claiming events of webhooks failed; it is tried again');
        await sleep(PAUSE_MS * (1 + Math.random()));
      }
    }
  }

  /** Tells whether it may be worth to try again at once. */
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

  async #waitToLook(): Promise<void> {
    const timer = setTimeout(() => this.wake(), LOOK_MS);
    await this.#wake.promise;
    clearTimeout(timer);
  }

  #begin(event: ClaimedEvent): void {
    const running = this.#run(event)
      // Its lease will end, and then it is due again.
      .catch((error) => this.#options.onError(error, 'an event of a webhook was not delivered; it is tried again'))
      .finally(() => {
        this.#running.delete(running);
        this.wake();
      });
    this.#running.set(running, event.teamId);
  }

  async #run(event: ClaimedEvent): Promise<void> {
    if (this.#setAside.has(event.webhook)) return;
    const end = await this.#deliver(event);
    try {
      await this.#settle(event, end);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#options.onError(error, 'the store refused the outcome of a delivery; the event fails');
      await this.#giveUp(event);
    }
  }

  async #deliver(event: ClaimedEvent): Promise<DeliveryEnd> {
    const { store, poster, prefixOf, onError } = this.#options;
    try {
      const seq = documentOf(event);
      const document = seq === null ? null : await store.webhooks.document(event, seq);
      return await deliver(poster, event, eventBody(event, prefixOf(event.jobKind), document), this.#abandon.signal);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onError(error, 'an event of a webhook failed inside the service');
      return failed(event, null, 'Something went wrong inside the service.');
    }
  }

  /** Has the next event take its turn. If that is refused too, nothing more is delivered to this webhook from here. */
  async #giveUp(event: ClaimedEvent): Promise<void> {
    const error = 'The outcome of the delivery could not be stored.';
    try {
      await this.#settle(event, { type: 'failed', status: null, error, runAt: null });
    } catch (refusal) {
      if (isUnavailable(refusal)) throw refusal;
      this.#options.onError(refusal, 'the store refused the failure of an event; its webhook is set aside');
      if (this.#setAside.size >= MOST_SET_ASIDE) this.#setAside.clear();
      this.#setAside.add(event.webhook);
    }
  }

  async #settle(event: ClaimedEvent, end: DeliveryEnd): Promise<void> {
    const { store, onTried } = this.#options;
    await store.webhooks.settle({ event, at: now(), end });
    if (end.type === 'delivered') onTried('delivered');
    if (end.type === 'failed') onTried(end.runAt === null ? 'failed' : 'retried');
  }
}
