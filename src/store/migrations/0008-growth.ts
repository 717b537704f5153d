import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Bounds on growing jobs. */
export const growth: Migration = {
  name: '0008-growth',

  async up(db: Database) {
    const { text, integer } = columnTypes(db);
    const keyed = raw(db.dialect === 'sqlite' ? 'strict, without rowid' : '');

    // How many pages of the team may wait, by its plan when the job began; null is without a limit.
    await db.run(sql`alter table jobs add column queued_pages ${integer}`);

    // The number of pages of each shape of address in a job, and of shapes in each family.
    await db.run(sql`
      create table job_shapes (
        job ${integer} not null,
        shape ${text} not null,
        pages ${integer} not null,
        primary key (job, shape)
      ) ${keyed}`);
  },
};
