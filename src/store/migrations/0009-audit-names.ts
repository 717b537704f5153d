import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Stores the user on whose behalf a call was made in the activity log, for every call and not just for scrapes. */
export const auditNames: Migration = {
  name: '0009-audit-names',

  async up(db: Database) {
    const { text } = columnTypes(db);
    await db.run(sql`alter table activity add column audit_username ${text}`);
    await db.run(sql`
      update activity set audit_username = (select scrapes.audit_username from scrapes where scrapes.id = activity.id)
      where id in (select id from scrapes where audit_username is not null)`);
    await db.run(sql`alter table scrapes drop column audit_username`);
  },
};
