import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Teams, their keys, their page caches and their scrapes. */
export const foundation: Migration = {
  name: '0001-foundation',

  async up(db: Database) {
    const { text, integer, bytes, strict } = columnTypes(db);

    await db.run(sql`
      create table teams (
        id ${text} primary key,
        name ${text} not null,
        plan ${text} not null,
        created_at ${integer} not null
      ) ${strict}`);

    // A revoked key keeps its row, because usage reports show its name.
    await db.run(sql`
      create table api_keys (
        id ${text} primary key,
        team_id ${text} not null references teams (id),
        name ${text} not null,
        hash ${text} not null unique,
        hint ${text} not null,
        created_at ${integer} not null,
        revoked_at ${integer}
      ) ${strict}`);
    await db.run(sql`create index api_keys_by_team on api_keys (team_id, id)`);

    // The page cache. The body is the last column, so that SQLite can read the others without reading its pages.
    await db.run(sql`
      create table pages (
        team_id ${text} not null references teams (id),
        key ${text} not null,
        stored_at ${integer} not null,
        url ${text} not null,
        status ${integer} not null,
        headers ${text} not null,
        content_type ${text} not null,
        is_text ${integer} not null,
        proxy_used ${text} not null,
        size ${integer} not null,
        stored_size ${integer} not null,
        body ${bytes} not null,
        primary key (team_id, key)
      ) ${strict}`);
    // Includes the size, so that the sum over all pages only reads this index.
    await db.run(sql`create index pages_by_age on pages (stored_at, stored_size)`);

    // Null if zero data retention forbids storing it: url, options, document.
    await db.run(sql`
      create table scrapes (
        id ${text} primary key,
        team_id ${text} not null references teams (id),
        key_id ${text} not null references api_keys (id),
        url ${text},
        origin ${text},
        integration ${text},
        audit_username ${text},
        options ${text},
        outcome ${text} not null,
        error_code ${text},
        error_message ${text},
        credits ${integer} not null,
        created_at ${integer} not null,
        duration ${integer} not null,
        expires_at ${integer} not null,
        document_size ${integer},
        document ${bytes}
      ) ${strict}`);
    await db.run(sql`create index scrapes_by_expiry on scrapes (expires_at)`);
  },
};
