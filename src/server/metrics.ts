import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What Prometheus reads at /metrics. One registry per app, so that two in one process do not collide. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  /** @param sources `openStreams`: asked whenever it is read */
  constructor({ openStreams }: { openStreams: () => number }) {
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'trawl_job_streams',
      help: 'WebSockets of jobs that are open',
      registers: [this.#registry],
      collect() {
        this.set(openStreams());
      },
    });
    this.#requests = new Histogram({
      name: 'trawl_http_request_seconds',
      help: 'Time from the first byte of a request to the last of its answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers: [this.#registry],
    });
  }

  /** @param elapsed milliseconds */
  countRequest(method: string, route: string, status: number, elapsed: number): void {
    this.#requests.observe({ method, route, status }, elapsed / 1000);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  read(): Promise<string> {
    return this.#registry.metrics();
  }
}
