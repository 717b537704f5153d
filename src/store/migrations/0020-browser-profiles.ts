import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Browser profiles: what a browser keeps between the scrapes of a team. */
export const browserProfiles: Migration = {
  name: '0020-browser-profiles',

  async up(db: Database) {
    const { text, integer, bytes, strict } = columnTypes(db);
    // `size` and `state` are null until the first state is saved. The state comes last, because counting reads the rest.
    await db.run(sql`
      create table browser_profiles (
        team_id ${text} not null references teams (id),
        name ${text} not null,
        used_at ${integer} not null,
        lock_id ${text},
        locked_until ${integer},
        size ${integer},
        state ${bytes},
        primary key (team_id, name)
      ) ${strict}`);
    await db.run(sql`create index browser_profiles_by_use on browser_profiles (team_id, used_at)`);
  },
};
