import type { Database } from '../database.ts';
import { integer, nullable, text } from '../row.ts';
import { sql } from '../sql.ts';
import { addActivity } from './activity.ts';
import { addCharge, type Charge } from './charges.ts';
import { type DocumentRow, putDocument } from './page-documents.ts';
import { release } from './reservations.ts';
import { claimBytes, type NewDocument, type StoredDocument, storedSize, toStoredDocument } from './stored-document.ts';

export type ScrapeOutcome = 'completed' | 'failed';

/**
 * A scrape, as stored. Null stands for values that zero data retention forbids to store or that the caller did not
 * give.
 */
export interface ScrapeRow {
  id: string;
  teamId: string;
  /** Null for a call without a key. */
  keyId: string | null;
  /** Identifies the client of a call without a key, who alone may read the result; null for every other call. */
  client: string | null;
  url: string | null;
  origin: string | null;
  integration: string | null;
  /** JSON. */
  options: string | null;
  outcome: ScrapeOutcome;
  errorCode: string | null;
  errorMessage: string | null;
  credits: number;
  createdAt: number;
  /** Milliseconds. */
  duration: number;
  expiresAt: number;
  document: NewDocument | null;
}

/** The columns that are read back. */
export interface ScrapeResultRow
  extends Pick<ScrapeRow, 'outcome' | 'options' | 'errorCode' | 'errorMessage' | 'createdAt' | 'expiresAt'> {
  document: StoredDocument | null;
}

/** A finished scrape as it is written, with its line in the activity log and its charge: all or nothing. */
export interface ScrapeRecord extends ScrapeRow {
  apiVersion: string;
  auditUsername: string | null;
  /** Null when it costs nothing. */
  charge: Charge | null;
  /** Whether credits are reserved under its id. */
  isReserved: boolean;
  /** The document for the cache; null if it is not cached. */
  cached: DocumentRow | null;
}

/** Repeating it changes nothing. */
export async function recordScrape(
  db: Database,
  { charge, isReserved, cached, ...scrape }: ScrapeRecord,
): Promise<void> {
  const activity = { ...scrape, endpoint: 'scrape', target: scrape.url };
  // The statements are independent, so PostgreSQL gets them all at once.
  await Promise.all([
    cached && putDocument(db, cached),
    addScrape(db, scrape),
    addActivity(db, activity),
    isReserved && release(db, scrape),
    charge && addCharge(db, charge),
  ]);
}

async function addScrape(db: Database, scrape: ScrapeRow): Promise<void> {
  const { document } = scrape;
  const added = await db.run(sql`
    insert into scrapes (
      id, team_id, key_id, client, url, origin, integration, options, outcome, error_code, error_message,
      credits, created_at, duration, expires_at, document_size, stored_size, document, artifact
    ) values (
      ${scrape.id}, ${scrape.teamId}, ${scrape.keyId}, ${scrape.client}, ${scrape.url}, ${scrape.origin}, ${scrape.integration},
      ${scrape.options}, ${scrape.outcome}, ${scrape.errorCode}, ${scrape.errorMessage},
      ${scrape.credits}, ${scrape.createdAt}, ${scrape.duration}, ${scrape.expiresAt},
      ${document?.size ?? null}, ${document === null ? 0 : storedSize(document)}, ${document?.bytes ?? null},
      ${document?.artifact?.id ?? null}
    )
    on conflict do nothing`);
  if (added > 0 && document !== null) await claimBytes(db, document);
}

/** A scrape of the team, or of the client without a key, that has not expired at `at`. */
export async function getScrape(
  db: Database,
  { teamId, client, id, at }: { teamId: string; client: string | null; id: string; at: number },
): Promise<ScrapeResultRow | null> {
  const [row] = await db.all(sql`
    select
      outcome, options, error_code, error_message, created_at, expires_at, document_size as size, document, team_id,
      artifact
    from scrapes where id = ${id} and team_id = ${teamId} and coalesce(client, '') = ${client ?? ''} and expires_at > ${at}`);
  if (row === undefined) return null;
  return {
    outcome: row.outcome === 'completed' ? 'completed' : 'failed',
    options: nullable(text)(row.options),
    errorCode: nullable(text)(row.error_code),
    errorMessage: nullable(text)(row.error_message),
    createdAt: integer(row.created_at),
    expiresAt: integer(row.expires_at),
    document: row.document === null ? null : toStoredDocument(row),
  };
}
