import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Values that must not be readable in the files: keys of jobs, sealed webhooks, the owner of a result. */
export const seals: Migration = {
  name: '0012-seals',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // The key that seals a job's values, itself sealed by TRAWL_SECRET. It has a table of its own, whose rows fit into
    // its pages and are appended: so SQLite moves keys, and leaves copies of them, only when it erases some.
    await db.run(sql`
      create table job_keys (
        job ${integer} primary key references jobs (number),
        sealed_key ${text} not null
      ) ${strict}`);
    // With zero data retention, addresses, page keys, errors and documents are sealed too.
    await db.run(sql`alter table jobs add column hides_pages ${integer} not null default 0`);
    // JSON array of the formats of its results; null for older jobs, whose formats are unknown.
    await db.run(sql`alter table jobs add column formats ${text}`);

    // Address, headers and metadata as one sealed JSON text; empty when nothing is left to deliver.
    await db.run(sql`alter table webhooks add column target ${text} not null default ''`);
    const json = raw(db.dialect === 'sqlite' ? 'json_object' : 'json_build_object');
    await db.run(sql`
      update webhooks set target = cast(${json}('url', url, 'headers', headers, 'metadata', metadata) as text)
      where closed = 0 or delivered + failed < total`);
    for (const column of ['url', 'headers', 'metadata']) {
      await db.run(sql`alter table webhooks drop column ${raw(column)}`);
    }

    // Identifies the client of a call without a key, who alone may read its results.
    await db.run(sql`alter table scrapes add column client ${text}`);

    // The secret of a service whose operator gave none. With SQLite it is in a file beside the database, and in this
    // table only in backups.
    await db.run(sql`create table generated_secrets (name ${text} primary key, secret ${text} not null) ${strict}`);
  },
};
