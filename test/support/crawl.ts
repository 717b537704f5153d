import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScrapedDocument } from '../../src/pages/document.ts';
import type { BatchErrors, BatchStatus } from './batch.ts';
import type { CallOptions, TrawlClient } from './trawl.ts';

/** The outcome of a crawl. */
export interface FinishedCrawl extends BatchStatus {
  id: string;
  /** Paths of the pages, in order, with the origin where it differs. */
  paths: string[];
  errors: BatchErrors['errors'];
  robotsBlocked: string[];
}

export async function startCrawl(trawl: TrawlClient, body: object, options?: CallOptions): Promise<string> {
  const { status, body: answer } = await trawl.call<{ id: string }>('POST', '/v2/crawl', body, options);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer.id;
}

/** Crawls without the cache, and waits for the end. */
export async function crawl(
  trawl: TrawlClient,
  url: string,
  { scrapeOptions = {}, ...body }: { scrapeOptions?: object; [field: string]: unknown } = {},
): Promise<FinishedCrawl> {
  const options = { maxAge: 0, onlyMainContent: false, ...scrapeOptions };
  return finishedCrawl(trawl, await startCrawl(trawl, { url, scrapeOptions: options, ...body }), url);
}

/** Polls until the crawl has ended, and returns its complete status. */
export async function finishedCrawl(
  trawl: TrawlClient,
  id: string,
  url: string,
  options?: CallOptions,
): Promise<FinishedCrawl> {
  const path = `/v2/crawl/${id}`;
  for (;;) {
    // One document is enough to see the progress.
    const { status, body } = await trawl.get<BatchStatus>(`${path}?limit=1`, options);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.status === 'scraping') {
      await sleep(20);
      continue;
    }
    const data = await documentsAt(trawl, path, options);
    const { body: report } = await trawl.get<BatchErrors>(`${path}/errors`, options);
    const { origin } = new URL(url);
    const paths = data.map(({ metadata }) => metadata.url.replace(origin, '')).sort();
    return { ...body, id, data, paths, ...report };
  }
}

async function documentsAt(trawl: TrawlClient, start: string, options?: CallOptions): Promise<ScrapedDocument[]> {
  const documents: ScrapedDocument[] = [];
  let path: string | undefined = start;
  while (path !== undefined) {
    const { body }: { body: BatchStatus } = await trawl.get<BatchStatus>(path, options);
    documents.push(...body.data);
    path = body.next === undefined ? undefined : body.next.slice(new URL(body.next).origin.length);
  }
  return documents;
}
