import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Finds the cached pages of a site. */
export const knownAddresses: Migration = {
  name: '0007-known-addresses',

  async up(db: Database) {
    const { text } = columnTypes(db);
    // The host of the page with its labels reversed, `com.example.www`, so that the hosts of one domain sort next to
    // each other. Pages that were stored before have none, and are found once they are fetched again.
    await db.run(sql`alter table pages add column site ${text} not null default ''`);
    // Includes every column of the query except the address: SQLite reads a column behind the body only by reading the
    // body.
    await db.run(sql`create index pages_by_site on pages (team_id, site, key) where site <> ''`);
  },
};
