import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Documents beside the cached pages that they were made of, and the items of a charge. */
export const pageDocuments: Migration = {
  name: '0016-page-documents',

  async up(db: Database) {
    const { text, integer, bytes, strict } = columnTypes(db);

    // A document counts while the copy is the one that it was made of: stored at `copied_at`. The bytes are last: SQLite
    // reads the others without touching their pages.
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
    // The size stands in the index, so that sums by team and by page read the index alone.
    await db.run(sql`create index page_documents_by_team on page_documents (team_id, page_key, stored_size)`);

    // JSON; null where the charge is for one page or call and nothing else, as most are.
    await db.run(sql`alter table charges add column items ${text}`);
  },
};
