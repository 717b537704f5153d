import type { ClaimedEvent } from '../store/operations/jobs/deliver-events.ts';

/**
 * A larger document is left out. Gateways commonly accept 1 to 10 MB, and concurrent events, up to 32, are in memory
 * twice.
 */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/**
 * The posted body of an event, as JSON.
 * @param prefix the name of jobs of this kind in events, from the contract
 * @param document from `documentOf`: JSON as stored, which is not parsed and written again
 */
export function eventBody(event: ClaimedEvent, prefix: string, document: string | null): string {
  const { type, subjectId, id, metadata } = event;
  const error = errorOf(event);
  const head = {
    success: error === null,
    type: `${prefix}.${type}`,
    id: subjectId,
    // The id of the event and not of the job's webhook: receivers recognise repetitions by it.
    webhookId: id,
    ...(error === null ? {} : { error }),
  };
  const data = document ?? withoutDocument(event);
  return `${JSON.stringify(head).slice(0, -1)},"data":[${data}],"metadata":${metadata}}`;
}

/** The number of the result whose document goes with the event; null when none does. */
export function documentOf({ task }: ClaimedEvent): number | null {
  const result = task?.result ?? null;
  return result === null || result.size > MAX_DOCUMENT_BYTES ? null : result.seq;
}

function withoutDocument({ task, data }: ClaimedEvent): string {
  if (task === null) return data ?? '';
  const metadata = { sourceURL: task.payload };
  if (task.result === null) return JSON.stringify({ metadata });
  const warning = `This document was left out because its ${task.result.size} bytes exceed the limit of ${MAX_DOCUMENT_BYTES}. The status of the job has it.`;
  return JSON.stringify({ warning, metadata });
}

function errorOf({ type, task, jobError }: ClaimedEvent): string | null {
  if (type === 'failed') return jobError ?? 'The job was cancelled.';
  if (task === null || task.result !== null) return null;
  return task.error ?? 'The robots.txt of the site forbids this page.';
}
