import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Finds the cached pages of a site. */
export const knownAddresses: Migration = {
  name: '0007-known-addresses',

  async up(db: Database) {
    const { text } = columnTypes(db);
    // The host of the page from its end, `com.example.www`: hosts under one domain stand beside each other. Pages that
    // were stored before have none, and are found when they are fetched again.
    await db.run(sql`alter table pages add column site ${text} not null default ''`);
    // Holds all that is asked for but the address: SQLite reads a column behind the body only by way of the body.
    await db.run(sql`create index pages_by_site on pages (team_id, site, key) where site <> ''`);
  },
};
