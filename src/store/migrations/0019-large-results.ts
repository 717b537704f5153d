import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Large results: documents whose bytes are an artifact instead of standing in the row of the result. */
export const largeResults: Migration = {
  name: '0019-large-results',

  async up(db: Database) {
    const { text } = columnTypes(db);
    // The id of the artifact. The document is empty then.
    for (const table of ['scrapes', 'job_results', 'job_conclusions']) {
      await db.run(sql`alter table ${raw(table)} add column artifact ${text}`);
    }
  },
};
