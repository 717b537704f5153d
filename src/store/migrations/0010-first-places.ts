import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** The position of a lane's first waiting page. */
export const firstPlaces: Migration = {
  name: '0010-first-places',

  async up(db: Database) {
    const { integer } = columnTypes(db);
    // No page of the lane that waits for its first attempt has a lower position.
    await db.run(sql`alter table job_lanes add column first_place ${integer} not null default 0`);
  },
};
