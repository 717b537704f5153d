import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../clock.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import type { EndedPage, HostPace } from '../store/operations/jobs/complete-pages.ts';
import { isUnavailable } from '../store/store-away.ts';

/** Ends pages and sets paces in one write: all or nothing. */
type Complete = (ended: readonly EndedPage[], hosts: readonly HostPace[]) => Promise<void>;
type OnError = (error: unknown, what: string) => void;

/** A batch that fails for an unknown reason is tried once more, after this pause. */
const PAUSE_MS = 500;

/**
 * Ends pages in one write. If the store refuses it for good, each page and each pace is written alone, so that none can
 * harm or hold up another. A page that is refused alone fails with the reason, and is not charged. A page whose failure
 * is refused too stays leased until its worker's lease ends.
 *
 * @param onError is called with each refusal
 * @returns how many pages have ended
 * @throws STORE_UNAVAILABLE: some pages may have ended by then, and ending them again changes nothing
 */
export async function completeApart(
  complete: Complete,
  { ended, hosts }: { ended: readonly EndedPage[]; hosts: readonly HostPace[] },
  onError: OnError,
): Promise<number> {
  const refusal = await refusalOf(() => complete(ended, hosts), { tries: 2 });
  if (refusal === null) return ended.length;
  onError(refusal.error, 'the store refused a batch of pages; each is stored alone');

  let count = 0;
  for (const page of ended) if (await completeAlone(complete, page, onError)) count += 1;
  for (const host of hosts) {
    const refused = await refusalOf(() => complete([], [host]));
    if (refused !== null) onError(refused.error, `the store refused the pace of ${host.host}; it is dropped`);
  }
  return count;
}

/** Tells whether the page has ended. */
async function completeAlone(complete: Complete, page: EndedPage, onError: OnError): Promise<boolean> {
  const refusal = await refusalOf(() => complete([page], []));
  if (refusal === null) return true;
  if (page.end.type === 'done' && page.end.copy !== undefined) {
    onError(refusal.error, 'the store refused the result of a page; it is stored without a copy for the cache');
    return completeAlone(complete, { ...page, end: { ...page.end, copy: undefined } }, onError);
  }
  onError(refusal.error, 'the store refused the result of a page; the page fails');

  const failure = await refusalOf(() => complete([failed(page, refusal.error)], []));
  if (failure === null) return true;
  onError(failure.error, 'the store refused the failure of a page; the page is set aside');
  return false;
}

function failed(page: EndedPage, error: unknown): EndedPage {
  const reason = error instanceof ConstraintError ? error.message : 'something went wrong inside the service';
  const message = `The result of this page could not be stored: ${reason}.`;
  return { ...page, end: { type: 'failed', scrapeId: newId(), code: 'INTERNAL_ERROR', message, charge: null } };
}

/** Why the store refuses a write for good; null when the write was done. */
async function refusalOf(write: () => Promise<void>, { tries = 1 } = {}): Promise<{ error: unknown } | null> {
  for (let left = tries - 1; ; left--) {
    try {
      await write();
      return null;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (left === 0 || error instanceof ConstraintError) return { error };
      await sleep(PAUSE_MS);
    }
  }
}
