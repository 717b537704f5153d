import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { TeamData } from '../store/operations/delete-team.ts';
import type { StoredTeam } from '../store/operations/teams.ts';
import type { Store } from '../store/store.ts';
import { KEYLESS_TEAM_ID } from '../team/keyless.ts';
import { FIRST_TEAM_ID } from '../team/keys.ts';
import { findTeam, requireAnotherTeam } from '../team/teams.ts';
import { withProgress } from './progress.ts';

/** How long to wait for running pages; the service deletes the rest later. */
const LOOK_MS = 500;
const LOOKS = 20;

/** Shows what a team has stored and deletes it if `yes`. Throws TrawlError. */
export async function deleteTeam(store: Store, which: string, { yes }: { yes: boolean }): Promise<void> {
  const team = await findTeam(store, which);
  await requireAnotherTeam(store, team);
  process.stdout.write(preview(team, await store.teams.measure(team.id)));
  if (!yes) throw new TrawlError('BAD_REQUEST', 'Nothing has been deleted. Add --yes to delete all of this.');
  await store.teams.markDeleted(team.id, now());
  const isGone = await withProgress(`Deleting ${team.name}`, () => deleteAll(store, team.id));
  process.stdout.write(
    isGone
      ? `The team ${team.name} is deleted.\n`
      : `The keys of the team ${team.name} are revoked. Some of its pages are still running; the service deletes the rest when they have ended.\n`,
  );
}

/** Resolves with whether everything is gone. If not, the service deletes the rest. */
async function deleteAll(store: Store, teamId: string): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; ) {
    const state = await store.teams.deleteSome(teamId, now());
    if (state === 'done') return true;
    if (state === 'more') continue;
    looks += 1;
    await sleep(LOOK_MS);
  }
  return false;
}

function preview({ id, name }: StoredTeam, data: TeamData): string {
  const lines = [
    `The team ${name} (${id}) has:`,
    `  keys: ${data.keys}`,
    `  jobs: ${data.jobs}, running: ${data.runningJobs}`,
    `  results: ${data.results} (${megabytes(data.resultBytes)} MB)`,
    `  cached pages: ${data.cachedPages} (${megabytes(data.cacheBytes)} MB)`,
    `  credits used: ${data.credits}`,
    `  calls in the activity log: ${data.calls}`,
  ];
  if (id === FIRST_TEAM_ID)
    lines.push('This is the team of the first start: the next start makes a new one, with a new key.');
  if (id === KEYLESS_TEAM_ID) {
    lines.push(
      'This team serves all calls without a key. They are refused until the service restarts and creates it again.',
    );
  }
  return `${lines.join('\n')}\n`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
