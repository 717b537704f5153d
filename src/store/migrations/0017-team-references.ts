import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import type { Migration } from './migration.ts';

/** Has what refers to keys and teams name the team that the database is divided by, so that no reference reaches across teams. */
export const teamReferences: Migration = {
  name: '0017-team-references',

  async up(db: Database) {
    await db.run(sql`drop index scrapes_by_key`);
    await db.run(sql`create index scrapes_by_key on scrapes (key_id, team_id)`);
    // SQLite is never divided, and to change a reference there is to write the whole table again.
    if (db.dialect === 'sqlite') return;

    await db.run(sql`drop index api_keys_by_team`);
    await db.run(sql`create unique index api_keys_by_team on api_keys (team_id, id)`);
    await db.run(sql`alter table scrapes drop constraint scrapes_key_id_fkey`);
    await db.run(sql`alter table scrapes add foreign key (team_id, key_id) references api_keys (team_id, id)`);
    // These are divided by the number of the team, and have no index by its id: to delete a team was to read all of them. Jobs
    // are made and teams deleted by whoever has locked the row of the team in job_teams, which refers to the team.
    await db.run(sql`alter table jobs drop constraint jobs_team_id_fkey`);
    await db.run(sql`alter table webhooks drop constraint webhooks_team_id_fkey1`);
  },
};
