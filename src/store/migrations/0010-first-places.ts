import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Where the waiting pages of a lane begin. */
export const firstPlaces: Migration = {
  name: '0010-first-places',

  async up(db: Database) {
    const { integer } = columnTypes(db);
    // Of the lane's pages that wait for their first try none has a lower position.
    await db.run(sql`alter table job_lanes add column first_place ${integer} not null default 0`);
  },
};
