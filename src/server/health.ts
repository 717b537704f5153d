import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BrowserState } from '../browser/browser-engine.ts';
import { TrawlError } from '../errors.ts';
import type { Metrics } from '../service/metrics.ts';
import type { Store } from '../store/store.ts';
import { VERSION } from '../version.ts';
import type { App } from './types.ts';

export interface HealthOptions {
  store: Store;
  hasWorker: () => Promise<boolean>;
  browserState: () => Promise<BrowserState>;
  metrics: Metrics;
  /** The key for /metrics; if undefined, anyone can read them. */
  metricsKey: string | undefined;
}

const status = z.object({ status: z.literal('ok'), version: z.string() });
const readiness = status.extend({
  worker: z.boolean().describe('Whether a worker is running; without one, jobs are accepted and wait'),
  browser: z
    .object({ status: z.enum(['running', 'not started', 'unavailable']), chromium: z.string().optional() })
    .describe('Whether pages can be rendered; without a browser, only requests that need one fail'),
});

/** The health of a process, for its operators. */
export function healthRoutes(app: App, { store, hasWorker, browserState, metrics, metricsKey }: HealthOptions): void {
  app.get(
    '/health',
    { schema: { summary: 'Whether the process is alive', tags: ['operator'], response: { 200: status } } },
    async () => ({ status: 'ok' as const, version: VERSION }),
  );

  app.get(
    '/ready',
    {
      schema: {
        summary: 'Whether the store is writable and requests can be served',
        tags: ['operator'],
        response: { 200: readiness },
      },
    },
    async () => {
      await store.ready();
      return { status: 'ok' as const, version: VERSION, worker: await hasWorker(), browser: await browserState() };
    },
  );

  app.get('/metrics', { schema: { summary: 'Prometheus metrics', tags: ['operator'] } }, async (request, reply) => {
    if (metricsKey !== undefined) requireKey(request, metricsKey);
    return reply
      .type(metrics.contentType)
      .serializer(String)
      .send(await metrics.read());
  });
}

function requireKey({ headers }: FastifyRequest, key: string): void {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  // Compares hashes: of equal length, and in a time that reveals nothing about the key.
  if (timingSafeEqual(digest(given), digest(key))) return;
  throw new TrawlError(
    'UNAUTHORIZED',
    'Metrics need a key. Send the header "Authorization: Bearer <TRAWL_METRICS_KEY>".',
    {
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
