import type { Runner } from './database.ts';
import { findTeamNumber } from './operations/jobs/ready.ts';

/** Cached teams: a few hundred bytes each. */
const MAX_TEAMS = 10_000;

/** The numbers of teams in the job tables. A number never changes, so each is read only once. */
export class TeamNumbers {
  readonly #runner: Runner;
  readonly #numbers = new Map<string, number>();

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** Null for a team that never had a job. */
  async numberOf(teamId: string): Promise<number | null> {
    const known = this.#numbers.get(teamId);
    if (known !== undefined) return known;
    const number = await this.#runner.read(findTeamNumber, teamId);
    if (this.#numbers.size >= MAX_TEAMS) this.#numbers.clear();
    if (number !== null) this.#numbers.set(teamId, number);
    return number;
  }
}
