import { activeCrawlsAnswer, activeQuery, toActiveAnswer } from '../contract/crawl.ts';
import { bearer, failures } from '../contract/documentation.ts';
import { nextAddress } from '../contract/jobs.ts';
import { activeCrawls } from '../crawl/active-crawls.ts';
import type { CrawlServices } from '../crawl/start-crawl.ts';
import { callerOf } from './authentication.ts';
import type { JobRouteOptions } from './job-routes.ts';
import type { App } from './types.ts';

export type CrawlRouteOptions = CrawlServices & JobRouteOptions;

/** The routes about crawls alone, the same in both API versions. */
export function crawlRoutes(app: App, version: 'v1' | 'v2', options: CrawlRouteOptions): void {
  // Clients use both names.
  for (const name of ['active', 'ongoing']) {
    app.get(
      `/${version}/crawl/${name}`,
      {
        config: { endpointGroup: 'crawl', rateGroup: 'status' },
        schema: {
          summary: 'List the active crawls',
          tags: [version === 'v1' ? 'v1' : 'crawl'],
          security: bearer,
          querystring: activeQuery,
          response: { 200: activeCrawlsAnswer, ...failures },
        },
      },
      async (request) => {
        const { teamId } = callerOf(request);
        const { skip, limit } = request.query;
        const { crawls, next } = await activeCrawls(options.store, teamId, { skip, limit });
        const address = `${options.publicAddress(request)}/${version}/crawl/${name}`;
        return toActiveAnswer(teamId, crawls, nextAddress(address, next, limit));
      },
    );
  }
}
