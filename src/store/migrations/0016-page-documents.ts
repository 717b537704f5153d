import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Documents made from cached pages, and the items of a charge. */
export const pageDocuments: Migration = {
  name: '0016-page-documents',

  async up(db: Database) {
    const { text, integer, bytes, strict } = columnTypes(db);

    // A document is valid only for the copy that it was made from, stored at `copied_at`. The bytes are last, so that
    // SQLite can read the other columns without reading their pages.
    await db.run(sql`
      create table page_documents (
        team_id ${text} not null,
        page_key ${text} not null,
        shape ${text} not null,
        copied_at ${integer} not null,
        warning ${text},
        costs ${text},
        size ${integer} not null,
        leads_size ${integer},
        stored_size ${integer} not null,
        document ${bytes} not null,
        leads ${bytes},
        primary key (team_id, page_key, shape),
        foreign key (team_id, page_key) references pages (team_id, key) on delete cascade
      ) ${strict}`);
    // Includes the size, so that sums by team and by page only read the index.
    await db.run(sql`create index page_documents_by_team on page_documents (team_id, page_key, stored_size)`);

    // JSON; null if the charge is just for one page or call, as most are.
    await db.run(sql`alter table charges add column items ${text}`);
  },
};
