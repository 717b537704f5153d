import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import type { Migration } from './migration.ts';

/** Makes references to keys and teams include the team by which the database is divided, so that none crosses teams. */
export const teamReferences: Migration = {
  name: '0017-team-references',

  async up(db: Database) {
    await db.run(sql`drop index scrapes_by_key`);
    await db.run(sql`create index scrapes_by_key on scrapes (key_id, team_id)`);
    // SQLite is never divided, and changing a reference there means rewriting the whole table.
    if (db.dialect === 'sqlite') return;

    await db.run(sql`drop index api_keys_by_team`);
    await db.run(sql`create unique index api_keys_by_team on api_keys (team_id, id)`);
    await db.run(sql`alter table scrapes drop constraint scrapes_key_id_fkey`);
    await db.run(sql`alter table scrapes add foreign key (team_id, key_id) references api_keys (team_id, id)`);
    // These tables are divided by the number of the team and have no index on its id, so deleting a team would read all
    // of them. Whoever creates jobs or deletes teams has locked the team's row in job_teams, which refers to the team.
    await db.run(sql`alter table jobs drop constraint jobs_team_id_fkey`);
    await db.run(sql`alter table webhooks drop constraint webhooks_team_id_fkey1`);
  },
};
