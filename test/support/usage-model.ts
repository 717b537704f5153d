/** A reference model of the ledger, as simple as possible: a list of entries, and a loop over single days. */

const DAY_MS = 86_400_000;

export interface ModelEntry {
  keyName: string | null;
  credits: number;
  tokens: number;
  at: number;
}

export interface ModelPeriod {
  start: number;
  end: number;
  apiKey: string | null;
  credits: number;
  tokens: number;
}

export class UsageModel {
  readonly entries: ModelEntry[] = [];
  readonly reservations = new Map<string, { credits: number; expiresAt: number }>();
  /** By id. */
  readonly keyNames = new Map<string, string>();
  readonly createdAt: number;
  anchor: number;

  constructor(createdAt: number, anchor: number) {
    this.createdAt = createdAt;
    this.anchor = anchor;
  }

  /** The charges in the period that contains `now`. */
  used(now: number): number {
    const start = this.#startBefore(now);
    const end = this.#startAfter(now);
    return this.#sum(start, end, () => true).credits;
  }

  /** Expired entries stay deleted, even if the clock goes back. */
  forgetExpired(now: number): void {
    for (const [id, { expiresAt }] of this.reservations) if (expiresAt <= now) this.reservations.delete(id);
  }

  reserved(now: number): number {
    let sum = 0;
    for (const { credits, expiresAt } of this.reservations.values()) if (expiresAt > now) sum += credits;
    return sum;
  }

  history(now: number, byApiKey: boolean): ModelPeriod[] {
    const began = Math.min(this.createdAt, ...this.entries.map(({ at }) => dayOf(at)));
    const names: (string | null)[] = byApiKey ? this.#namesByAge() : [null];
    if (byApiKey && this.entries.some((entry) => entry.keyName === null && this.#isToldBy(now, entry)))
      names.push(null);
    const periods: ModelPeriod[] = [];
    for (let start = this.#startBefore(began); start <= now; start = this.#startAfter(start)) {
      const end = this.#startAfter(start);
      for (const apiKey of names) {
        const sum = this.#sum(start, end, (entry) => !byApiKey || entry.keyName === apiKey);
        periods.push({ start, end, apiKey, ...sum });
      }
    }
    return periods;
  }

  /** Ids are ordered by time. */
  #namesByAge(): string[] {
    const keys = [...this.keyNames].sort(([one], [other]) => (one < other ? -1 : 1));
    return [...new Set(keys.map(([, name]) => name))];
  }

  #isToldBy(now: number, { at }: ModelEntry): boolean {
    return at < this.#startAfter(now);
  }

  #sum(start: number, end: number, counts: (entry: ModelEntry) => boolean): { credits: number; tokens: number } {
    const sum = { credits: 0, tokens: 0 };
    for (const entry of this.entries) {
      if (entry.at < start || entry.at >= end || !counts(entry)) continue;
      sum.credits += entry.credits;
      sum.tokens += entry.tokens;
    }
    return sum;
  }

  #startBefore(moment: number): number {
    let day = dayOf(moment);
    while (!this.#isStart(day)) day -= DAY_MS;
    return day;
  }

  #startAfter(moment: number): number {
    let day = dayOf(moment) + DAY_MS;
    while (!this.#isStart(day)) day += DAY_MS;
    return day;
  }

  /** The anchor's day of the month, or the last day of a month that has no such day. */
  #isStart(day: number): boolean {
    const wanted = new Date(this.anchor).getUTCDate();
    const date = new Date(day).getUTCDate();
    const isLastOfMonth = new Date(day + DAY_MS).getUTCDate() === 1;
    return date === wanted || (isLastOfMonth && date < wanted);
  }
}

function dayOf(moment: number): number {
  return moment - (moment % DAY_MS);
}
