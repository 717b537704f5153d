import { now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { foundation } from './0001-foundation.ts';
import { usage } from './0002-usage.ts';
import { limits } from './0003-limits.ts';
import { jobs } from './0005-jobs.ts';
import { webhooks } from './0006-webhooks.ts';
import { knownAddresses } from './0007-known-addresses.ts';
import { growth } from './0008-growth.ts';
import { auditNames } from './0009-audit-names.ts';
import { firstPlaces } from './0010-first-places.ts';
import { progress } from './0011-progress.ts';
import { seals } from './0012-seals.ts';
import { retention } from './0013-retention.ts';
import { robotsPaces } from './0014-robots-paces.ts';
import { tasks } from './0015-tasks.ts';
import { pageDocuments } from './0016-page-documents.ts';
import { teamReferences } from './0017-team-references.ts';
import { artifacts } from './0018-artifacts.ts';
import { largeResults } from './0019-large-results.ts';
import { browserProfiles } from './0020-browser-profiles.ts';
import { MIGRATIONS_TABLE, type Migration } from './migration.ts';

/** Every step, in order. A released step is never edited: a change is a new step. */
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
  progress,
  seals,
  retention,
  robotsPaces,
  tasks,
  pageDocuments,
  teamReferences,
  artifacts,
  largeResults,
  browserProfiles,
];

const TABLE = raw(MIGRATIONS_TABLE);

/** Whether the database has been used by Trawl. */
export async function hasSchema(db: Database): Promise<boolean> {
  const rows = await db.all(
    db.dialect === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${MIGRATIONS_TABLE}`
      : sql`select 1 where to_regclass(${MIGRATIONS_TABLE}) is not null`,
  );
  return rows.length > 0;
}

/**
 * Brings the schema up to date. The caller holds a transaction that excludes all other processes: of several processes
 * that start together, one migrates, and the others find nothing left to do. Throws STORE_UNAVAILABLE if a newer
 * version of the service has changed the database.
 */
export async function migrate(db: Database, migrations = MIGRATIONS): Promise<void> {
  await db.run(sql`create table if not exists ${TABLE} (name text primary key, applied_at bigint not null)`);
  const applied = await appliedMigrations(db, migrations);
  for (const { name, up } of migrations.filter((one) => !applied.includes(one))) {
    await up(db);
    await db.run(sql`insert into ${TABLE} (name, applied_at) values (${name}, ${now()})`);
  }
}

/** The steps that a database has, in order. Throws STORE_UNAVAILABLE if this version does not know all of them. */
export async function appliedMigrations(db: Database, migrations = MIGRATIONS): Promise<Migration[]> {
  const rows = await db.all(sql`select name from ${TABLE} order by name`);
  const names = rows.map((row) => text(row.name));
  const unknown = names.filter((name) => !migrations.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new TrawlError(
      'STORE_UNAVAILABLE',
      `The database was changed by a newer version of Trawl (${unknown.join(', ')}), which this version cannot read. Start the newer version, or set another TRAWL_DATA_DIR or DATABASE_URL.`,
    );
  }
  return migrations.filter(({ name }) => names.includes(name));
}
