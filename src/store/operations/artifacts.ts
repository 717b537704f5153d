import { now } from '../../clock.ts';
import type { Database } from '../database.ts';
import { bytes, integer, text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { dueOfEachTeam } from './each-team.ts';
import { byIndexAlone } from './jobs/rows.ts';

/** Names an artifact. */
export interface ArtifactName {
  teamId: string;
  id: string;
}

export interface ArtifactRow {
  /** Media type. */
  type: string;
  /** Bytes. */
  size: number;
}

/** When the artifact of a result expires: it stays for as long as the row of the result. */
export const WITH_RESULT = Number.MAX_SAFE_INTEGER;
/** Longer than a transaction takes. An artifact that expires sooner could be removed before its result is committed. */
const CLAIM_MARGIN_MS = 60_000;

/** Records that bytes are about to be stored. Unless `keepArtifact` follows by `until`, they are removed. */
export async function beginArtifact(
  db: Database,
  { teamId, id, type, size, at, until }: ArtifactName & ArtifactRow & { at: number; until: number },
): Promise<void> {
  await db.run(sql`
    insert into artifacts (team_id, id, type, size, created_at, expires_at)
    values (${teamId}, ${id}, ${type}, ${size}, ${at}, ${until})`);
}

/**
 * Records that the bytes are stored. Returns false if that came too late: an expired artifact may be removed at any
 * moment.
 */
export async function keepArtifact(
  db: Database,
  { teamId, id, at, expiresAt }: ArtifactName & { at: number; expiresAt: number },
): Promise<boolean> {
  const kept = await db.run(sql`
    update artifacts set kept_at = ${at}, expires_at = ${expiresAt}
    where team_id = ${teamId} and id = ${id} and expires_at > ${at}`);
  return kept > 0;
}

/** Makes the stored bytes those of a result, in the transaction that writes the row of the result. Throws when it is too late. */
export async function claimArtifact(db: Database, { teamId, id }: ArtifactName): Promise<void> {
  const at = now();
  const claimed = await db.run(sql`
    update artifacts set kept_at = ${at}, expires_at = ${WITH_RESULT}
    where team_id = ${teamId} and id = ${id} and kept_at is null and expires_at > ${at + CLAIM_MARGIN_MS}`);
  if (claimed === 0) throw new Error('The bytes of a large result took too long to be stored.');
}

/** Gives up the bytes of results, in the transaction that removes their rows: retention removes the bytes next. */
export async function releaseArtifacts(db: Database, names: readonly ArtifactName[]): Promise<void> {
  // None waits for another: PostgreSQL receives them in one go.
  await Promise.all(
    names.map(({ teamId, id }) =>
      db.run(sql`update artifacts set expires_at = 0 where team_id = ${teamId} and id = ${id}`),
    ),
  );
}

/** An artifact that is stored and has not expired at `at`; null if there is none. */
export async function findArtifact(
  db: Database,
  { teamId, id, at }: ArtifactName & { at: number },
): Promise<ArtifactRow | null> {
  const [row] = await db.all(sql`
    select type, size from artifacts
    where team_id = ${teamId} and id = ${id} and kept_at is not null and expires_at > ${at}`);
  return row === undefined ? null : { type: text(row.type), size: integer(row.size) };
}

/** Artifacts that expired at `at` or before, and those whose bytes were never stored. */
export async function findExpiredArtifacts(
  db: Database,
  { at, limit }: { at: number; limit: number },
): Promise<ArtifactName[]> {
  await byIndexAlone(db);
  const due = dueOfEachTeam(db, {
    table: raw('artifacts'),
    condition: sql`due.team_id = teams.id and due.expires_at <= ${at}`,
    order: raw('due.expires_at'),
    limit,
  });
  const rows = await db.all(sql`select due.team_id, due.id from ${due} limit ${limit}`);
  return rows.map((row) => ({ teamId: text(row.team_id), id: text(row.id) }));
}

/** Artifacts of a team that is marked as deleted, and whether their bytes may still be on their way. */
export async function findArtifactsOfDeleted(
  db: Database,
  { teamId, at, limit }: { teamId: string; at: number; limit: number },
): Promise<(ArtifactName & { isComing: boolean })[]> {
  const rows = await db.all(sql`
    select id, case when kept_at is null and expires_at > ${at} then 1 else 0 end as is_coming from artifacts
    where team_id = ${teamId} and exists (select 1 from teams where id = ${teamId} and deleted_at is not null)
    order by is_coming limit ${limit}`);
  return rows.map((row) => ({ teamId, id: text(row.id), isComing: integer(row.is_coming) === 1 }));
}

/** Removes rows whose bytes are gone. */
export async function removeArtifacts(db: Database, { names }: { names: readonly ArtifactName[] }): Promise<void> {
  // The statements are independent, so PostgreSQL gets them all at once.
  await Promise.all(
    names.map(({ teamId, id }) => db.run(sql`delete from artifacts where team_id = ${teamId} and id = ${id}`)),
  );
}

/** The total size of all artifacts. Their bytes are outside the database, or in a table of their own. */
export async function measureArtifacts(db: Database): Promise<number> {
  const [row] = await db.all(sql`select cast(coalesce(sum(size), 0) as bigint) as bytes from artifacts`);
  return integer(row?.bytes);
}

/** Adds a chunk of an artifact, on PostgreSQL. */
export async function addChunk(
  db: Database,
  { teamId, id, number, chunk }: ArtifactName & { number: number; chunk: Uint8Array },
): Promise<void> {
  await db.run(sql`
    insert into artifact_chunks (team_id, artifact_id, number, bytes) values (${teamId}, ${id}, ${number}, ${chunk})`);
}

/** A chunk; null if there is none with this number. */
export async function getChunk(
  db: Database,
  { teamId, id, number }: ArtifactName & { number: number },
): Promise<Uint8Array | null> {
  const [row] = await db.all(sql`
    select bytes from artifact_chunks where team_id = ${teamId} and artifact_id = ${id} and number = ${number}`);
  return row === undefined ? null : bytes(row.bytes);
}

/** Removes the bytes of an artifact. */
export async function removeChunks(db: Database, { teamId, id }: ArtifactName): Promise<void> {
  await db.run(sql`delete from artifact_chunks where team_id = ${teamId} and artifact_id = ${id}`);
}
