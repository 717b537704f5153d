import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScrapedDocument } from '../../src/pages/document.ts';
import { settingsOf } from './rows.ts';
import type { StoreLocation } from './stores.ts';
import { type CallOptions, type Settings, startTrawl, Trawl, type TrawlClient } from './trawl.ts';

export interface BatchStarted {
  success: boolean;
  id: string;
  url: string;
  invalidURLs?: string[];
}

export interface BatchStatus {
  success: boolean;
  status: string;
  total: number;
  completed: number;
  creditsUsed: number;
  createdAt: string;
  completedAt?: string;
  expiresAt: string;
  next?: string;
  data: ScrapedDocument[];
}

export interface BatchErrors {
  errors: { id: string; timestamp: string; code: string; url: string; error: string }[];
  robotsBlocked: string[];
}

export async function startBatch(trawl: TrawlClient, body: object, options?: CallOptions): Promise<BatchStarted> {
  const answer = await trawl.call<BatchStarted>('POST', '/v2/batch/scrape', body, options);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Polls until the batch has ended, and returns its last status with all documents. */
export async function finishedBatch(trawl: TrawlClient, id: string, options?: CallOptions): Promise<BatchStatus> {
  for (;;) {
    // One document is enough to see the progress.
    const { status, body } = await trawl.get<BatchStatus>(`/v2/batch/scrape/${id}?limit=1`, options);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.status !== 'scraping') return { ...body, data: await allDocuments(trawl, id, options) };
    await sleep(20);
  }
}

/** Every document, following `next` from page to page. */
export async function allDocuments(trawl: TrawlClient, id: string, options?: CallOptions): Promise<ScrapedDocument[]> {
  const documents: ScrapedDocument[] = [];
  let path: string | undefined = `/v2/batch/scrape/${id}`;
  while (path !== undefined) {
    const { body }: { body: BatchStatus } = await trawl.get<BatchStatus>(path, options);
    documents.push(...body.data);
    path = body.next === undefined ? undefined : body.next.slice(new URL(body.next).origin.length);
  }
  return documents;
}

export async function batchErrors(trawl: TrawlClient, id: string, options?: CallOptions): Promise<BatchErrors> {
  const { status, body } = await trawl.get<BatchErrors>(`/v2/batch/scrape/${id}/errors`, options);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The service on its own store, which is deleted with it. */
export async function startTrawlOn(made: Promise<StoreLocation>, settings: Settings = {}): Promise<TrawlOn> {
  const location = await made;
  const trawl = await startTrawl({ ...settings, ...settingsOf(location.options) });
  return Object.assign(trawl, {
    options: location.options,
    async [Symbol.asyncDispose]() {
      await Trawl.prototype[Symbol.asyncDispose].call(trawl);
      await location[Symbol.asyncDispose]();
    },
  });
}

export type TrawlOn = Trawl & Pick<StoreLocation, 'options'>;
