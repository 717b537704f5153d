import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** What limits count and hold, and the days of callers without a key. */
export const limits: Migration = {
  name: '0003-limits',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // Of a day, and removed after it.
    await db.run(sql`
      create table keyless_days (
        client ${text} not null,
        day ${integer} not null,
        requests ${integer} not null,
        primary key (day, client)
      ) ${strict}`);

    // One process serves on SQLite, and has the rest in memory.
    if (db.dialect === 'sqlite') return;

    // Unlogged: a commit waits for no disk (0.2 ms instead of 0.8), and after a crash of the server the windows begin
    // anew and the places are free. The room left in each block lets a row be written over beside itself.
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
