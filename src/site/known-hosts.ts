/** How long it is remembered what a host accepts: its defences change, and the cheaper means are to have their chance again. */
const KEPT_MS = 60 * 60_000;
const MOST_HOSTS = 5_000;

/** What is known of a host. */
export interface KnownHost {
  /** Index of the first rung to try. */
  start: number;
  /** Whether other means did not change a refusal that says nothing about robots. */
  refusesAnyway: boolean;
}

const UNKNOWN: KnownHost = { start: 0, refusesAnyway: false };

/** What hosts have accepted in the last hour. */
export class KnownHosts {
  /** In the order of entry. */
  readonly #hosts = new Map<string, KnownHost & { until: number }>();

  find(key: string, now: number): KnownHost {
    const known = this.#hosts.get(key);
    return known !== undefined && known.until > now ? known : UNKNOWN;
  }

  /** An hour after the first time, not the last, the host is tried from the start again. */
  keep(key: string, known: KnownHost, now: number): void {
    const before = this.#hosts.get(key);
    const isSame = before?.start === known.start && before.refusesAnyway === known.refusesAnyway;
    if (isSame && before.until > now) return;
    this.#hosts.delete(key);
    if (known.start === 0 && !known.refusesAnyway) return;
    this.#hosts.set(key, { ...known, until: now + KEPT_MS });
    const [oldest] = this.#hosts.keys();
    if (oldest !== undefined && this.#hosts.size > MOST_HOSTS) this.#hosts.delete(oldest);
  }

  forget(key: string): void {
    this.#hosts.delete(key);
  }
}
