import { readConfig } from '../config.ts';
import { mapBody, toMap } from '../contract/v2/map.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { mapSite, type SiteMap } from '../map/map-site.ts';
import type { MapRequest } from '../map/request.ts';
import { type DocumentParts, makeDocument } from '../pages/make-document.ts';
import { pageStages } from '../service/page-stages.ts';
import { siteFetcherOptions } from '../service/site-fetcher-options.ts';
import { RobotsCache } from '../site/robots-cache.ts';
import { createSiteFetcher } from '../site/site-fetcher.ts';
import { withProgress } from './progress.ts';

export interface MapFlags {
  search?: string;
  limit?: string;
  json?: true;
}

/** Maps a site and prints its addresses. Throws TrawlError. */
export async function mapOnce(url: string, flags: MapFlags): Promise<void> {
  const request = readRequest(url, flags);
  const config = readConfig(process.env);
  const fetcher = createSiteFetcher(siteFetcherOptions(config));
  const stopped = new AbortController();
  const stop = () => stopped.abort(new TrawlError('REQUEST_CANCELLED', 'Stopped before anything was found.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  using deadline = new Deadline(request.timeout, stopped.signal);
  let found = 0;
  const sources = {
    fetcher,
    read,
    robots: new RobotsCache(fetcher),
    shells: pageStages(config).shells,
    cache: undefined,
    share: '',
    known: undefined,
    onFound: (count: number) => {
      found = count;
    },
  };
  try {
    const map = await withProgress(
      () => `Mapping ${url}: ${found} addresses`,
      () => mapSite(sources, request, deadline),
    );
    print(map, flags);
    if (stopped.signal.aborted) process.exitCode = 1;
  } finally {
    await fetcher.close();
  }
}

/** One page is read in this thread, because another one would have to start first. */
const read = async (parts: DocumentParts) => makeDocument(parts);

function readRequest(url: string, { search, limit }: MapFlags): MapRequest {
  const parsed = mapBody.safeParse({ url, search, ...(limit === undefined ? {} : { limit: Number(limit) }) });
  if (parsed.success) return toMap(parsed.data);
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TrawlError('BAD_REQUEST', lines.join('\n'));
}

function print(map: SiteMap, { json }: MapFlags): void {
  const text = json ? JSON.stringify(map, null, 2) : map.links.map(({ url }) => url).join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
  if (map.warning !== undefined) process.stderr.write(`note: ${map.warning}\n`);
}
