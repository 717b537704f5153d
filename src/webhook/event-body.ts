import type { ClaimedEvent } from '../store/operations/jobs/deliver-events.ts';

/**
 * A larger document is left out. Gateways commonly take 1 to 10 MB; and what is under way at the same time, 32 events, is
 * in memory twice.
 */
export const MOST_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** How the contract names the kinds of jobs in events. */
const NAMES: Readonly<Record<string, string>> = { batch: 'batch_scrape' };

/**
 * What is posted for an event, as JSON.
 *
 * @param document that of `documentOf`: JSON as it is stored, which is not parsed to be written again
 */
export function eventBody(event: ClaimedEvent, document: string | null): string {
  const { type, jobKind, jobId, id, metadata } = event;
  const error = errorOf(event);
  const head = {
    success: error === null,
    type: `${NAMES[jobKind] ?? jobKind}.${type}`,
    id: jobId,
    // Of the event and not of the job's webhook: it is what a receiver tells repetitions by.
    webhookId: id,
    ...(error === null ? {} : { error }),
  };
  const data = document ?? withoutDocument(event);
  return `${JSON.stringify(head).slice(0, -1)},"data":[${data}],"metadata":${metadata}}`;
}

/** The number of the result whose document goes with the event; null when none does. */
export function documentOf({ page }: ClaimedEvent): number | null {
  const result = page?.result ?? null;
  return result === null || result.size > MOST_DOCUMENT_BYTES ? null : result.seq;
}

function withoutDocument({ page }: ClaimedEvent): string {
  if (page === null) return '';
  const metadata = { sourceURL: page.url };
  if (page.result === null) return JSON.stringify({ metadata });
  const warning = `This document of ${page.result.size} bytes is larger than ${MOST_DOCUMENT_BYTES}, and left out. The status of the job has it.`;
  return JSON.stringify({ warning, metadata });
}

function errorOf({ type, page }: ClaimedEvent): string | null {
  if (type === 'failed') return 'The job was cancelled.';
  if (page === null || page.result !== null) return null;
  return page.error ?? 'The robots.txt of the site keeps this page out.';
}
