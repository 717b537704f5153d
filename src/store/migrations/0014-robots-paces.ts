import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** The pace that a robots.txt wants belongs to the crawlers that it names; only being busy concerns everybody. */
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
    // Which of them is the pace of the lane; null until a page of it has learned that there is one.
    await db.run(sql`alter table job_lanes add column robots_agent ${text}`);
    // Here both kinds of pace stood. What still holds is soon learned again.
    await db.run(sql`delete from hosts`);
  },
};
