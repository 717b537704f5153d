import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** The pace in a robots.txt applies only to the crawlers that it names; that a host is busy concerns everyone. */
export const robotsPaces: Migration = {
  name: '0014-robots-paces',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // The agent is the name in the robots.txt of the host: a product token in lower case, or `*`.
    await db.run(sql`
      create table robots_paces (
        host ${text} not null,
        agent ${text} not null,
        next_at ${integer} not null,
        delay ${integer} not null,
        primary key (host, agent)
      ) ${strict}`);
    // The agent whose pace applies to the lane; null until a page of the lane has learned that there is one.
    await db.run(sql`alter table job_lanes add column robots_agent ${text}`);
    // This table held both kinds of pace. Those that still apply are soon learned again.
    await db.run(sql`delete from hosts`);
  },
};
