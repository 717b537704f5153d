import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** What may not be read from the files: keys of jobs, sealed webhooks, whose a result is. */
export const seals: Migration = {
  name: '0012-seals',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // The key with which a job's values are sealed, itself sealed by TRAWL_SECRET. A table of its own: its rows fit into
    // its pages and new ones come last, so SQLite moves keys, and leaves copies of them, only where it erases some.
    await db.run(sql`
      create table job_keys (
        job ${integer} primary key references jobs (number),
        sealed_key ${text} not null
      ) ${strict}`);
    // With zero data retention also addresses, keys of pages, errors and documents are sealed.
    await db.run(sql`alter table jobs add column hides_pages ${integer} not null default 0`);
    // JSON array of the formats that its results have; null: from before, and not known.
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

    // Stands for the client of a call without a key: its results are for nobody else.
    await db.run(sql`alter table scrapes add column client ${text}`);

    // The secret of a service whose operator gave none. On SQLite it is in a file beside the database, and here only in backups.
    await db.run(sql`create table generated_secrets (name ${text} primary key, secret ${text} not null) ${strict}`);
  },
};
