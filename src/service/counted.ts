import { now } from '../clock.ts';
import type { RunPage } from '../jobs/page-work.ts';
import { judge } from '../jobs/retry.ts';
import type { PageCounts } from '../pages/page-counts.ts';

/** Work on the pages of one kind of job, counted by what came of it. */
export function counted(counts: PageCounts, kind: string, run: RunPage): RunPage {
  return async (page, signal) => {
    try {
      const outcome = await run(page, signal);
      counts.page(kind, outcome.type === 'slow down' ? 'retried' : outcome.type);
      return outcome;
    } catch (error) {
      const { type } = judge(error, page.attempts, now());
      counts.page(kind, type === 'failed' ? 'failed' : 'retried');
      throw error;
    }
  };
}
