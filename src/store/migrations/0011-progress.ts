import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Counts the pages of a job without a result, and stores when a team last had a success. */
export const progress: Migration = {
  name: '0011-progress',

  async up(db: Database) {
    const { integer } = columnTypes(db);
    // Pages that failed or were forbidden by robots.txt after they were added. Those that were never added are in lane
    // 0.
    await db.run(sql`alter table job_progress add column failed ${integer} not null default 0`);
    await db.run(sql`
      update job_progress set failed = (
        select count(*) from job_pages
        where job_pages.job = job_progress.job and state >= 3 and kind = 0 and lane <> 0
      )`);

    // When the last scrape or page of a job was delivered on this day. Stored with the sums, because both change
    // together.
    await db.run(sql`alter table usage_days add column last_success_at ${integer}`);
    await db.run(sql`
      update usage_days set last_success_at = latest.at
      from (
        select team_id, max(charged_at) as at from charges
        where charge_key >= 'scrape:' and charge_key < 'scrape;' or charge_key >= 'page:' and charge_key < 'page;'
        group by team_id
      ) as latest
      where usage_days.team_id = latest.team_id and usage_days.day = latest.at / 86400000`);
  },
};
