import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BrowserLoad } from '../browser/browser-engine.ts';
import { END_REASONS, type EndReason } from '../browser/pool/running-browser.ts';
import type { PageCounts } from '../pages/page-counts.ts';
import type { OnOperation } from '../store/timed-runner.ts';
import type { StoreState } from './store-state.ts';

/** Read whenever metrics are requested. */
export interface MetricSources {
  /** Cached for a few seconds: it costs queries. */
  store: StoreState;
  /** Threads that parse pages. */
  readers: () => { busy: number; idle: number; waiting: number };
  browser: () => BrowserLoad;
}

/** Error codes that mean that a limit was reached. */
const LIMITS: ReadonlySet<string> = new Set([
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  'QUEUE_FULL',
  'PAYMENT_REQUIRED',
  'OVERLOADED',
]);

/**
 * The Prometheus metrics at /metrics; docs/metrics.md explains each. No label takes values from outside:
 * no team, key, host or address. Each service has its own registry, so that two in one process do not collide.
 */
export class Metrics implements PageCounts {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #store: Histogram<'operation'>;
  readonly #refusals: Counter<'code'>;
  readonly #pages: Counter<'kind' | 'result'>;
  readonly #cache: Counter<'result'>;
  readonly #events: Counter<'result'>;
  readonly #browserEnds: Counter<'reason'>;
  readonly #renders: Histogram;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'trawl_http_request_seconds',
      help: 'Time from the first byte of a request to the last byte of its response, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    });
    this.#store = new Histogram({
      name: 'trawl_store_seconds',
      help: 'Time of database operations, including the wait for a connection or the disk',
      labelNames: ['operation'],
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers,
    });
    this.#refusals = new Counter({
      name: 'trawl_limit_refusals_total',
      help: 'Requests refused by a limit, by the code of the error',
      labelNames: ['code'],
      registers,
    });
    this.#pages = new Counter({
      name: 'trawl_pages_total',
      help: 'Pages that this process has finished or retried, by kind of work and result',
      labelNames: ['kind', 'result'],
      registers,
    });
    this.#cache = new Counter({
      name: 'trawl_cache_lookups_total',
      help: 'Cache lookups of pages, by result',
      labelNames: ['result'],
      registers,
    });
    this.#events = new Counter({
      name: 'trawl_webhook_deliveries_total',
      help: 'Delivery attempts of webhook events by this process, by result',
      labelNames: ['result'],
      registers,
    });
    this.#browserEnds = new Counter({
      name: 'trawl_browser_ends_total',
      help: 'Browsers of this process that ended, by reason; the next page starts another',
      labelNames: ['reason'],
      registers,
    });
    this.#renders = new Histogram({
      name: 'trawl_browser_render_seconds',
      help: 'Time of rendering a page, from its slot to its result or error',
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    });
    for (const reason of END_REASONS) this.#browserEnds.inc({ reason }, 0);
    for (const code of LIMITS) this.#refusals.inc({ code }, 0);
    for (const result of ['hit', 'miss']) this.#cache.inc({ result }, 0);
    for (const result of ['delivered', 'retried', 'failed']) this.#events.inc({ result }, 0);
  }

  /** Adds the figures that are read on request. */
  watch({ store, readers, browser }: MetricSources): void {
    const registers = [this.#registry];
    new Gauge({
      name: 'trawl_reading_threads',
      help: 'Threads that parse pages',
      labelNames: ['state'],
      registers,
      collect() {
        const { busy, idle } = readers();
        this.set({ state: 'busy' }, busy);
        this.set({ state: 'idle' }, idle);
      },
    });
    this.#gauge('trawl_reading_waiting', 'Pages that wait for a thread to parse them', () => readers().waiting);
    this.#gauge('trawl_browser_pages', 'Pages that are open in the browser', () => browser().open);
    this.#gauge('trawl_browser_waiting', 'Pages that wait for the browser', () => browser().waiting);
    this.#gauge('trawl_browser_bytes', 'Memory of the processes of the browser', () => browser().bytes);
    new Gauge({
      name: 'trawl_job_pages',
      help: 'Pages of jobs that are waiting or being scraped, in all processes',
      labelNames: ['kind', 'state'],
      registers,
      async collect() {
        this.reset();
        for (const { kind, waiting, running } of (await store.figures())?.pages ?? []) {
          this.set({ kind, state: 'waiting' }, waiting);
          this.set({ kind, state: 'running' }, running);
        }
      },
    });
    this.#gauge('trawl_workers', 'Running workers', async () => (await store.figures())?.workers);
    this.#gauge(
      'trawl_webhook_events_waiting',
      'Webhook events that are not delivered yet, in all processes',
      async () => (await store.figures())?.webhookEvents,
    );
    this.#gauge('trawl_store_up', 'Whether the last database query succeeded', async () =>
      (await store.figures()) === undefined ? 0 : 1,
    );
    this.#gauge('trawl_cache_bytes', 'Stored size of cached pages, measured once a minute', () => store.cacheBytes());
    this.#gauge('trawl_disk_free_bytes', 'Free space on the disk of the SQLite file', () => store.freeBytes());
  }

  /** @param count called whenever metrics are read */
  watchStreams(count: () => number): void {
    this.#gauge('trawl_job_streams', 'Open WebSockets of jobs', count);
  }

  /** @param elapsed milliseconds */
  countRequest(method: string, route: string, status: number, elapsed: number): void {
    this.#requests.observe({ method, route, status }, elapsed / 1000);
  }

  /** @param code of the error response */
  countFailure(code: string): void {
    if (LIMITS.has(code)) this.#refusals.inc({ code });
  }

  readonly countOperation: OnOperation = (operation, milliseconds) => {
    this.#store.observe({ operation }, milliseconds / 1000);
  };

  page(kind: string, result: string): void {
    this.#pages.inc({ kind, result });
  }

  cache(result: 'hit' | 'miss'): void {
    this.#cache.inc({ result });
  }

  countDelivery(result: string): void {
    this.#events.inc({ result });
  }

  countBrowserEnd(reason: EndReason): void {
    this.#browserEnds.inc({ reason });
  }

  /** @param ms from the slot to the page or its error */
  countRender(ms: number): void {
    this.#renders.observe(ms / 1000);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  read(): Promise<string> {
    return this.#registry.metrics();
  }

  /** A figure without labels; left out while it is unknown. */
  #gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    new Gauge({
      name,
      help,
      labelNames: [],
      registers: [this.#registry],
      async collect() {
        const value = await read();
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });
  }
}
