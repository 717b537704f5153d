import { now } from '../clock.ts';
import { judge } from '../jobs/retry.ts';
import type { RunTask, TaskOutcome } from '../jobs/task.ts';
import type { PageCounts } from '../pages/page-counts.ts';

/** The outcome of work, as the metrics name it. */
const RESULTS: Readonly<Record<TaskOutcome['type'], string>> = {
  done: 'done',
  helped: 'read',
  failed: 'failed',
  blocked: 'blocked',
  waits: 'waits',
  'slow down': 'retried',
};

/** Work on the tasks of one kind of job, counted by outcome. */
export function counted(counts: PageCounts, kind: string, run: RunTask): RunTask {
  return async (task, signal) => {
    try {
      const outcome = await run(task, signal);
      counts.page(kind, RESULTS[outcome.type]);
      return outcome;
    } catch (error) {
      const { type } = judge(error, task.attempts, now());
      counts.page(kind, type === 'failed' ? 'failed' : 'retried');
      throw error;
    }
  };
}
