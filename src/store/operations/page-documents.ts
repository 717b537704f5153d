import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer, nullable, type Row, text } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** A document that was made of a cached page, as it is stored. */
export interface DocumentPart {
  /** As JSON, as it was first answered. */
  document: Compressed;
  /** What the page itself has to say: a part of the warning in the document, of which the rest is the request's. */
  warning: string | null;
  /** JSON: what reading the page cost beside the page itself; null is nothing. */
  costs: string | null;
  /** JSON: where the page leads; null unless a crawl asked. */
  leads: Compressed | null;
}

export interface DocumentRow extends DocumentPart {
  teamId: string;
  /** Of the copy. */
  key: string;
  /** Hash of everything in a request that shapes the document. */
  shape: string;
  /** When the copy was stored that it was made of. */
  copiedAt: number;
}

/** Documents of one copy. Each has a shape of its own, and nobody asks for more than some. */
const MOST_SHAPES = 8;

/** Stores a document if the copy that it was made of is still there. Those of older copies go. */
export async function putDocument(db: Database, row: DocumentRow): Promise<void> {
  const { teamId, key, copiedAt, document, leads } = row;
  const storedSize = document.bytes.byteLength + (leads?.bytes.byteLength ?? 0);
  // Locks the copy before its documents, as whoever removes it does.
  const locking = raw(db.dialect === 'postgres' ? 'for key share' : '');
  const put = db.run(sql`
    insert into page_documents (
      team_id, page_key, shape, copied_at, warning, costs, size, leads_size, stored_size, document, leads
    )
    select
      ${teamId}, ${key}, ${row.shape}, ${copiedAt}, ${row.warning}, ${row.costs}, ${document.size}, ${leads?.size ?? null},
      ${storedSize}, ${document.bytes}, ${leads?.bytes ?? null}
    from pages where team_id = ${teamId} and key = ${key} and stored_at = ${copiedAt} and (
      select count(*) from page_documents as known
      where known.team_id = ${teamId} and known.page_key = ${key} and known.copied_at = ${copiedAt}
    ) < ${raw(String(MOST_SHAPES))}
    ${locking}
    on conflict (team_id, page_key, shape) do update set
      copied_at = excluded.copied_at, warning = excluded.warning, costs = excluded.costs, size = excluded.size,
      leads_size = excluded.leads_size, stored_size = excluded.stored_size, document = excluded.document, leads = excluded.leads
    where page_documents.copied_at < excluded.copied_at`);
  const forget = db.run(sql`
    delete from page_documents where team_id = ${teamId} and page_key = ${key} and copied_at < ${copiedAt}`);
  // The second waits for nothing: PostgreSQL gets both in one go.
  await Promise.all([put, forget]);
}

/** From a row with its columns, of which `size` is called `document_size`. */
export function toDocumentPart(row: Row): DocumentPart {
  const leads = nullable(bytes)(row.leads);
  return {
    document: { bytes: bytes(row.document), size: integer(row.document_size) },
    warning: nullable(text)(row.warning),
    costs: nullable(text)(row.costs),
    leads: leads && { bytes: leads, size: integer(row.leads_size) },
  };
}
