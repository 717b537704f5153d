import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../clock.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import type { EndedTask } from '../store/operations/jobs/end-task.ts';
import type { HostPace } from '../store/operations/jobs/paces.ts';
import { isUnavailable } from '../store/store-away.ts';

/** Ends tasks and sets paces in one write: all or nothing. */
type Complete = (ended: readonly EndedTask[], hosts: readonly HostPace[]) => Promise<void>;
type OnError = (error: unknown, what: string) => void;

/** A batch that fails for an unknown reason is tried once more, after this pause. */
const PAUSE_MS = 500;

/**
 * Ends tasks in one write. If the store refuses the write for good, each task and each pace is written alone, so that
 * none can harm or delay another. A task that is refused alone fails with the reason, and is not charged. A task whose
 * failure is refused too stays leased until its worker's lease ends.
 * @param onError called with each refusal
 * @returns how many tasks have ended
 * @throws STORE_UNAVAILABLE: some tasks may have ended by then, and ending them again changes nothing
 */
export async function completeApart(
  complete: Complete,
  { ended, hosts }: { ended: readonly EndedTask[]; hosts: readonly HostPace[] },
  onError: OnError,
): Promise<number> {
  const refusal = await refusalOf(() => complete(ended, hosts), { tries: 2 });
  if (refusal === null) return ended.length;
  onError(refusal.error, 'the store refused a batch of tasks; storing each alone');

  let count = 0;
  for (const task of ended) if (await completeAlone(complete, task, onError)) count += 1;
  for (const host of hosts) {
    const refused = await refusalOf(() => complete([], [host]));
    if (refused !== null) onError(refused.error, `the store refused the pace of ${host.host}; dropping it`);
  }
  return count;
}

/** Returns whether the task has ended. */
async function completeAlone(complete: Complete, task: EndedTask, onError: OnError): Promise<boolean> {
  const refusal = await refusalOf(() => complete([task], []));
  if (refusal === null) return true;
  if (task.end.type === 'done' && task.end.copy !== undefined) {
    onError(refusal.error, 'the store refused the result of a task; storing it without a copy for the cache');
    return completeAlone(complete, { ...task, end: { ...task.end, copy: undefined } }, onError);
  }
  onError(refusal.error, 'the store refused the result of a task; failing the task');

  const failure = await refusalOf(() => complete([failed(task, refusal.error)], []));
  if (failure === null) return true;
  onError(failure.error, 'the store refused the failure of a task; leaving the task leased');
  return false;
}

function failed(task: EndedTask, error: unknown): EndedTask {
  const reason = error instanceof ConstraintError ? error.message : 'something went wrong inside the service';
  const message = `The result could not be stored: ${reason}.`;
  return { ...task, end: { type: 'failed', tryId: newId(), code: 'INTERNAL_ERROR', message, charge: null } };
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
