import { FairLine } from '../../fair-line.ts';

/** Who wants to open a page. */
export interface SlotRequest {
  share: string;
  urgency: 'answer' | 'job';
}

interface Waiting {
  grant(): void;
}

/** When answers and pages of jobs wait, each fifth slot goes to a page of a job: jobs go on, however many answers there are. */
const ANSWERS_BEFORE_A_JOB = 4;

/**
 * Slots for pages that are open at the same time. One share may use all of them if no other waits; otherwise shares take turns,
 * and answers that somebody waits for go before pages of jobs. A share that has no page open may use one slot more, so that it
 * need not wait for the long pages of others.
 */
export class RenderSlots {
  readonly #size: number;
  readonly #answers = new FairLine<Waiting>();
  readonly #jobs = new FairLine<Waiting>();
  readonly #held = new Map<string, number>();
  #taken = 0;
  #answersInARow = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#answers.size + this.#jobs.size;
  }

  /** Resolves to a slot, which disposing gives back. Throws the reason of the signal if that comes first. */
  async acquire({ share, urgency }: SlotRequest, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const line = urgency === 'answer' ? this.#answers : this.#jobs;
    const { promise, resolve } = Promise.withResolvers<void>();
    let isHeld = false;
    const waiting = {
      grant() {
        isHeld = true;
        resolve();
      },
    };
    line.add(share, waiting);
    this.#grant();
    if (!isHeld) {
      const giveUp = () => resolve();
      signal.addEventListener('abort', giveUp, { once: true });
      await promise;
      signal.removeEventListener('abort', giveUp);
    }
    if (!isHeld) {
      line.delete(share, waiting);
      throw signal.reason;
    }
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#add(share, -1);
      this.#grant();
    };
    return { [Symbol.dispose]: release };
  }

  #grant(): void {
    while (this.#taken <= this.#size) {
      const next = this.#next();
      if (next === undefined) return;
      next.grant();
    }
  }

  #next(): Waiting | undefined {
    const isJobsTurn = this.#answersInARow >= ANSWERS_BEFORE_A_JOB;
    const lines = isJobsTurn ? [this.#jobs, this.#answers] : [this.#answers, this.#jobs];
    for (const line of lines) {
      let holder = '';
      const waiting = line.take((share) => {
        holder = share;
        return this.#taken < this.#size || !this.#held.has(share);
      });
      if (waiting === undefined) continue;
      this.#answersInARow = line === this.#answers && this.#jobs.size > 0 ? this.#answersInARow + 1 : 0;
      this.#add(holder, 1);
      return waiting;
    }
    return undefined;
  }

  #add(share: string, change: number): void {
    this.#taken += change;
    const held = (this.#held.get(share) ?? 0) + change;
    if (held > 0) this.#held.set(share, held);
    else this.#held.delete(share);
  }
}
