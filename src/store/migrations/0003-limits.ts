import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Request counts and slots, and the daily counts of callers without a key. */
export const limits: Migration = {
  name: '0003-limits',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // Counts of one day, removed after it.
    await db.run(sql`
      create table keyless_days (
        client ${text} not null,
        day ${integer} not null,
        requests ${integer} not null,
        primary key (day, client)
      ) ${strict}`);

    // On SQLite one process serves, and keeps the rest in memory.
    if (db.dialect === 'sqlite') return;

    // Unlogged: a commit does not wait for the disk (0.2 ms instead of 0.8). After a crash of the server, windows begin
    // anew and all slots are free. The fill factor leaves space in each block, so that a row can be updated within it.
    const roomy = raw('with (fillfactor = 50)');
    await db.run(sql`
      create unlogged table rate_windows (
        subject ${text} not null,
        endpoint_group ${text} not null,
        requests ${integer} not null,
        ends_at ${integer} not null,
        primary key (subject, endpoint_group)
      ) ${roomy}`);

    await db.run(sql`
      create unlogged table work_places (
        subject ${text} not null,
        place ${integer} not null,
        lease ${text} not null,
        expires_at ${integer} not null,
        primary key (subject, place)
      ) ${roomy}`);
  },
};
