import { now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { text } from '../row.ts';
import { sql } from '../sql.ts';
import { foundation } from './0001-foundation.ts';
import { usage } from './0002-usage.ts';
import { limits } from './0003-limits.ts';
import { jobs } from './0005-jobs.ts';
import { webhooks } from './0006-webhooks.ts';
import { knownAddresses } from './0007-known-addresses.ts';
import { growth } from './0008-growth.ts';
import { auditNames } from './0009-audit-names.ts';
import { firstPlaces } from './0010-first-places.ts';
import { retention } from './0013-retention.ts';
import type { Migration } from './migration.ts';

/** Every step, in order. What was released is never edited: a change is a new step. */
export const MIGRATIONS: readonly Migration[] = [
  foundation,
  usage,
  limits,
  jobs,
  webhooks,
  knownAddresses,
  growth,
  auditNames,
  firstPlaces,
  retention,
];

/**
 * Brings the schema up to date. The caller holds a transaction that no other process can be in, so that of several
 * processes that start together one migrates and the others find it done.
 * Throws STORE_UNAVAILABLE when a newer version of the service has been at the database.
 */
export async function migrate(db: Database, migrations = MIGRATIONS): Promise<void> {
  // Not `migrations` or `schema_migrations`: a PostgreSQL database may be shared with another program.
  await db.run(sql`create table if not exists trawl_migrations (name text primary key, applied_at bigint not null)`);
  const rows = await db.all(sql`select name from trawl_migrations order by name`);
  const applied = rows.map((row) => text(row.name));

  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new TrawlError(
      'STORE_UNAVAILABLE',
      `The database was changed by a newer version of Trawl (${unknown.join(', ')}), which this version cannot read. Start the newer version, or choose another TRAWL_DATA_DIR or DATABASE_URL.`,
    );
  }
  for (const { name, up } of migrations.filter(({ name }) => !applied.includes(name))) {
    await up(db);
    await db.run(sql`insert into trawl_migrations (name, applied_at) values (${name}, ${now()})`);
  }
}
