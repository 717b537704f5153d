import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Artifacts: bytes that belong to a document but are stored outside it. */
export const artifacts: Migration = {
  name: '0018-artifacts',

  async up(db: Database) {
    const { text, integer, bytes } = columnTypes(db);
    const keyed = raw(db.dialect === 'sqlite' ? 'strict, without rowid' : '');

    // The team is named by its id, as in scrapes: each sweep goes from team to team, and a team that never had a job
    // has no number. `kept_at` is null until the bytes are stored. There are never bytes without a row.
    await db.run(sql`
      create table artifacts (
        team_id ${text} not null references teams (id),
        id ${text} not null,
        type ${text} not null,
        size ${integer} not null,
        created_at ${integer} not null,
        kept_at ${integer},
        expires_at ${integer} not null,
        primary key (team_id, id)
      ) ${keyed}`);
    // Includes the size, so that sums by team only read the index.
    await db.run(sql`create index artifacts_by_team on artifacts (team_id, expires_at, size)`);

    // Where several processes share only a database, it stores the bytes too.
    if (db.dialect === 'sqlite') return;
    await db.run(sql`
      create table artifact_chunks (
        team_id ${text} not null,
        artifact_id ${text} not null,
        number ${integer} not null,
        bytes ${bytes} not null,
        primary key (team_id, artifact_id, number)
      )`);
    // Images and PDFs are already compressed.
    await db.run(sql`alter table artifact_chunks alter column bytes set storage external`);
  },
};
