import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer, type Row, text } from '../row.ts';
import { type Sql, sql } from '../sql.ts';
import { type ArtifactName, claimArtifact, releaseArtifacts } from './artifacts.ts';

/** A document as it goes into its row. */
export interface NewDocument extends Compressed {
  /** Where its bytes are and how many, when they are not in `bytes`, which is empty then. */
  artifact?: ArtifactName & { size: number };
}

/** A document as its row has it. */
export interface StoredDocument extends Compressed {
  /** Where its bytes are, when they are not in `bytes`, which is empty then; else null. */
  artifact: ArtifactName | null;
}

/** Bytes of a document as stored, wherever they are. */
export function storedSize({ bytes: here, artifact }: NewDocument): number {
  return artifact?.size ?? here.byteLength;
}

/** Claims the bytes of a document whose row this transaction has just written. */
export async function claimBytes(db: Database, { artifact }: NewDocument): Promise<void> {
  if (artifact !== undefined) await claimArtifact(db, artifact);
}

/**
 * Removes rows that have documents, and releases their bytes. Returns the number of rows.
 * @param removal a `delete`
 * @param teamId of each row
 */
export async function removeDocuments(db: Database, removal: Sql, teamId: Sql): Promise<number> {
  const removed = await db.all(sql`${removal} returning artifact, ${teamId} as team_id`);
  await releaseArtifacts(db, removed.flatMap(toArtifact));
  return removed.length;
}

/** Reads `document`, `size`, `artifact` and `team_id`. */
export function toStoredDocument(row: Row): StoredDocument {
  const [artifact = null] = toArtifact(row);
  return { bytes: bytes(row.document), size: integer(row.size), artifact };
}

function toArtifact(row: Row): ArtifactName[] {
  return row.artifact === null ? [] : [{ teamId: text(row.team_id), id: text(row.artifact) }];
}
