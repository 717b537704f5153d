import { bearer, failures } from '../contract/documentation.ts';
import * as job from '../contract/jobs.ts';
import { toWebhookReport, webhookQuery, webhookReport } from '../contract/webhook.ts';
import type { JobKind, JobKindOnTheWire } from '../jobs/job-kind.ts';
import { cancelJob, findJob, jobFailures, jobStatus, jobWebhook } from '../jobs/job-report.ts';
import type { Caller } from '../team/keys.ts';
import { requireEndpointGroup, requireFormats } from '../team/permissions.ts';
import { callerOf } from './authentication.ts';
import { type JobStreams, jobStream } from './job-stream.ts';
import type { PublicAddress } from './public-address.ts';
import { sendStatus } from './send-status.ts';
import type { App } from './types.ts';

export interface JobRouteOptions extends JobStreams {
  publicAddress: PublicAddress;
  /** Every kind of job. */
  kinds: readonly JobKind[];
}

/**
 * The routes of started jobs, kind by kind.
 * @param starts adds the routes that start jobs, by the name of the kind
 */
export function jobRoutes(
  app: App,
  version: 'v1' | 'v2',
  options: JobRouteOptions,
  starts: Readonly<Record<string, (() => void) | undefined>>,
): void {
  for (const kind of options.kinds) {
    if (!kind.wire.versions.includes(version)) continue;
    starts[kind.name]?.();
    routesOf(app, version, kind, options);
  }
}

/** The routes of started jobs of one kind. They are the same for every kind and in both API versions. */

function routesOf(app: App, version: 'v1' | 'v2', { name: kind, wire }: JobKind, options: JobRouteOptions): void {
  const { store, publicAddress } = options;
  const schema = { tags: [version === 'v1' ? 'v1' : kind], security: bearer, params: job.jobParams };
  const { endpointGroup } = wire;
  const config = { endpointGroup, rateGroup: 'status' } as const;
  const path = `/${version}/${wire.path}/:id`;
  // The v1 client polls the status of a batch at the address of a crawl.
  const wires: ReadonlyMap<string, JobKindOnTheWire> = new Map(
    options.kinds
      .filter(({ name }) => name === kind || (version === 'v1' && kind === 'crawl' && name === 'batch'))
      .map(({ name, wire }) => [name, wire]),
  );

  /** Checked before any document is read: the key may be restricted to one of the kinds, or to other formats. */
  async function findReadable(caller: Caller, id: string) {
    const found = await findJob(store, { teamId: caller.teamId, id, kinds: [...wires.keys()] });
    const foundWire = wires.get(found.kind) ?? wire;
    requireEndpointGroup(caller, [foundWire.endpointGroup]);
    requireFormats(caller, found.job.formats);
    return { found, foundWire };
  }

  app.route({
    method: 'GET',
    url: path,
    config: { ...config, endpointGroup: [...wires.values()].map((each) => each.endpointGroup) },
    schema: {
      ...schema,
      summary: `Status and documents of a ${kind}`,
      description: 'As a WebSocket, with the key as the subprotocol, it sends each document as soon as it is ready.',
      querystring: job.statusQuery,
      response: { 200: job.jobStatusAnswer, ...failures },
    },
    ...jobStream(options, {
      find: async (caller, id) => (await findReadable(caller, id)).found.job,
      toStatus: wire.status,
      repeatsStatus: version === 'v2',
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      const { skip, limit } = request.query;
      const caller = callerOf(request);
      const { found, foundWire } = await findReadable(caller, id);
      const status = await jobStatus(store, found, { skip, limit: limit ?? null });
      return sendStatus(reply, foundWire, status, publicAddress(request) + path.replace(':id', id), limit);
    },
  });

  app.get(
    `${path}/webhook`,
    {
      config,
      schema: {
        ...schema,
        summary: 'Events sent to the webhook, and their outcome',
        querystring: webhookQuery,
        response: { 200: webhookReport, ...failures },
      },
    },
    async (request) => {
      const name = { teamId: callerOf(request).teamId, id: request.params.id, kinds: [kind] };
      const { webhook, events } = await jobWebhook(store, name, request.query);
      return toWebhookReport(webhook, events);
    },
  );

  app.delete(
    path,
    {
      config,
      schema: { ...schema, summary: `Cancel a ${kind}`, response: { 200: job.jobCancelled, ...failures } },
    },
    async (request) => {
      await cancelJob(store, { teamId: callerOf(request).teamId, id: request.params.id, kinds: [kind] });
      return { success: true as const, status: 'cancelled' as const };
    },
  );

  // The v1 client asks for the report with DELETE.
  for (const method of version === 'v1' ? (['GET', 'DELETE'] as const) : (['GET'] as const)) {
    app.route({
      method,
      url: `${path}/errors`,
      config,
      schema: {
        ...schema,
        summary: 'The pages without a result',
        querystring: job.errorsQuery,
        response: { 200: job.jobErrors, ...failures },
      },
      handler: async (request) => {
        const { skip, limit } = request.query;
        const name = { teamId: callerOf(request).teamId, id: request.params.id, kinds: [kind] };
        const { tasks, next } = await jobFailures(store, name, { skip, limit: limit ?? null });
        const address = `${publicAddress(request)}${path.replace(':id', name.id)}/errors`;
        return job.toErrorReport(tasks, job.nextAddress(address, next, limit));
      },
    });
  }
}
