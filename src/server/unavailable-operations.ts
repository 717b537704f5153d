import type { FastifyRequest } from 'fastify';
import { TrawlError } from '../errors.ts';
import type { EndpointGroup } from '../team/restrictions.ts';
import type { App } from './types.ts';

interface UnavailableOperation {
  name: string;
  endpointGroup: EndpointGroup | readonly EndpointGroup[];
  calls: readonly (readonly [method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT', url: string])[];
}

/**
 * What existing clients can call and this version does not support yet. Remove a call from the list when its route is
 * built: a test compares the list with the contract and with the existing routes.
 */
export const UNAVAILABLE_OPERATIONS: readonly UnavailableOperation[] = [
  {
    name: 'Search',
    endpointGroup: 'search',
    calls: [
      ['POST', '/v2/search'],
      ['POST', '/v1/search'],
    ],
  },
  {
    name: 'Paper search',
    endpointGroup: 'search',
    calls: [
      ['GET', '/v2/search/research/papers'],
      ['GET', '/v2/search/research/papers/:id'],
      ['GET', '/v2/search/research/papers/:id/similar'],
      ['GET', '/v2/search/research/github'],
    ],
  },
  {
    name: 'Developer search',
    endpointGroup: 'search',
    calls: [
      ['GET', '/v2/search/developer'],
      ['POST', '/v2/search/developer'],
    ],
  },
  { name: 'Parse', endpointGroup: 'parse', calls: [['POST', '/v2/parse']] },
  {
    name: 'Extract',
    endpointGroup: 'extract',
    calls: [
      ['POST', '/v2/extract'],
      ['GET', '/v2/extract/:id'],
      ['POST', '/v1/extract'],
      ['GET', '/v1/extract/:id'],
    ],
  },
  {
    name: 'Agent',
    endpointGroup: 'agent',
    calls: [
      ['POST', '/v2/agent'],
      ['GET', '/v2/agent'],
      ['GET', '/v2/agent/:jobId'],
      ['DELETE', '/v2/agent/:jobId'],
      ['GET', '/v2/agent/:jobId/trace'],
      ['GET', '/v2/agent/:jobId/snapshots/:snapshotId'],
      ['GET', '/v2/agent/threads/:threadId'],
    ],
  },
  {
    name: 'Interact',
    endpointGroup: 'interact',
    calls: [
      ['POST', '/v2/scrape/:jobId/interact'],
      ['DELETE', '/v2/scrape/:jobId/interact'],
      // Two names for one thing: clients still use the older one.
      ...['/v2/interact', '/v2/browser'].flatMap(
        (url) =>
          [
            ['POST', url],
            ['GET', url],
            ['POST', `${url}/:sessionId/execute`],
            ['DELETE', `${url}/:sessionId`],
          ] as const,
      ),
    ],
  },
  {
    name: 'Monitor',
    endpointGroup: 'monitor',
    calls: [
      ['POST', '/v2/monitor'],
      ['GET', '/v2/monitor'],
      ['GET', '/v2/monitor/:monitorId'],
      ['PATCH', '/v2/monitor/:monitorId'],
      ['DELETE', '/v2/monitor/:monitorId'],
      ['POST', '/v2/monitor/:monitorId/run'],
      ['GET', '/v2/monitor/:monitorId/checks'],
      ['GET', '/v2/monitor/:monitorId/checks/:checkId'],
    ],
  },
  {
    name: 'Deep research',
    endpointGroup: 'agent',
    calls: [
      ['POST', '/v1/deep-research'],
      ['GET', '/v1/deep-research/:id'],
    ],
  },
  {
    name: 'LLMs.txt',
    endpointGroup: 'crawl',
    calls: [
      ['POST', '/v1/llmstxt'],
      ['GET', '/v1/llmstxt/:id'],
    ],
  },
  {
    name: 'Feedback',
    endpointGroup: ['search', 'scrape', 'parse', 'map'],
    calls: [
      ['POST', '/v2/feedback'],
      ['POST', '/v2/search/:jobId/feedback'],
    ],
  },
  {
    name: 'Support',
    endpointGroup: 'team',
    calls: [
      ['POST', '/v2/support/ask'],
      ['POST', '/v2/support/docs-search'],
    ],
  },
  {
    name: 'Threat protection for the whole team',
    endpointGroup: 'team',
    calls: [
      ['GET', '/v2/team/threat-protection'],
      ['PUT', '/v2/team/threat-protection'],
    ],
  },
];

/** Refuses these calls by name, without reading their body. */
export function unavailableOperations(app: App): void {
  for (const { name, endpointGroup, calls } of UNAVAILABLE_OPERATIONS) {
    const refuse = async () => {
      throw unavailable(name);
    };
    for (const [method, url] of calls) {
      // They are as cheap as a status request, so they count as one.
      const config = { endpointGroup, rateGroup: 'status' } as const;
      app.route({ method, url, config, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  }
}

/** Checked for a scrape: the public SDK calls tools of a marketplace at this address. */
export async function refuseToolCalls({ body }: FastifyRequest): Promise<void> {
  if (typeof body === 'object' && body !== null && 'alexandria' in body)
    throw unavailable('Calling tools ("alexandria")');
}

function unavailable(name: string): TrawlError {
  return new TrawlError('NOT_AVAILABLE', `${name} is not available in this version.`);
}
