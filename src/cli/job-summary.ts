import type { FailedTask } from '../store/operations/jobs/read-job.ts';
import type { PageOutput } from './page-output.ts';

/** robots.txt can forbid any number of pages of a site. */
const MAX_LINES = 100;

/** The outcome of the pages of a job. */
export interface JobOutcome {
  written: number;
  /** Number of pages with each status from 400 on. They are written all the same. */
  refusals: ReadonlyMap<number, number>;
  failures: readonly FailedTask[];
}

/** What failed, one page a line, and last what was written where. */
export function summarise({ written, refusals, failures }: JobOutcome, { place, index }: PageOutput): string[] {
  const reasons = failures
    .slice(0, MAX_LINES)
    .map(({ payload, blocked, message }) => `${payload}: ${blocked ? 'robots.txt forbids it' : message}`);
  const more = failures.length - MAX_LINES;
  if (more > 0) reasons.push(`… and ${more} more`);

  const blocked = failures.filter((page) => page.blocked).length;
  const failed = failures.length - blocked;
  const notes = [...refusals].sort(([a], [b]) => a - b).map(([status, count]) => `${count} with status ${status}`);
  if (blocked > 0) notes.push(`${blocked} forbidden by robots.txt`);
  if (failed > 0) notes.push(`${failed} failed`);
  const see = index === undefined ? '' : `: see ${index}`;
  const detail = notes.length === 0 ? '' : ` (${notes.join(', ')}${see})`;
  const pages = `${written} ${written === 1 ? 'page' : 'pages'}`;
  return [...reasons, place === undefined ? `${pages}${detail}` : `Wrote ${pages} to ${place}${detail}`];
}
