import type { FailedTask } from '../store/operations/jobs/read-job.ts';
import type { PageOutput } from './page-output.ts';

/** A site can have any number of pages that robots.txt keeps out. */
const MOST_LINES = 100;

/** What became of the pages of a job. */
export interface JobOutcome {
  written: number;
  /** How many pages were answered with each status from 400 on. They are written all the same. */
  refusals: ReadonlyMap<number, number>;
  failures: readonly FailedTask[];
}

/** What failed, a line each, and last what was written where. */
export function summarise({ written, refusals, failures }: JobOutcome, { place, index }: PageOutput): string[] {
  const reasons = failures
    .slice(0, MOST_LINES)
    .map(({ payload, blocked, message }) => `${payload}: ${blocked ? 'robots.txt keeps it out' : message}`);
  const more = failures.length - MOST_LINES;
  if (more > 0) reasons.push(`… and ${more} more`);

  const blocked = failures.filter((page) => page.blocked).length;
  const failed = failures.length - blocked;
  const notes = [...refusals].sort(([a], [b]) => a - b).map(([status, count]) => `${count} answered ${status}`);
  if (blocked > 0) notes.push(`${blocked} kept out by robots.txt`);
  if (failed > 0) notes.push(`${failed} failed`);
  const see = index === undefined ? '' : `: see ${index}`;
  const detail = notes.length === 0 ? '' : ` (${notes.join(', ')}${see})`;
  const pages = `${written} ${written === 1 ? 'page' : 'pages'}`;
  return [...reasons, place === undefined ? `${pages}${detail}` : `Wrote ${pages} to ${place}${detail}`];
}
