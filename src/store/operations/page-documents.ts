import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer, nullable, type Row, text } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** A document made from a cached page, as stored. */
export interface DocumentPart {
  /** JSON, exactly as it was first returned. */
  document: Compressed;
  /** The page's own part of the document's warning. The request adds the rest. */
  warning: string | null;
  /** JSON: what reading the page cost in addition to the page itself; null for nothing. */
  costs: string | null;
  /** JSON: the links found on the page; null unless a crawl asked for them. */
  leads: Compressed | null;
}

export interface DocumentRow extends DocumentPart {
  teamId: string;
  /** The key of the copy. */
  key: string;
  /** Hash of everything in a request that affects the document. */
  shape: string;
  /** When the copy was stored that the document was made from. */
  copiedAt: number;
}

/** The maximum number of documents of one copy. Each has a different shape, and few shapes are ever requested. */
const MAX_SHAPES = 8;

/** Stores a document if the copy it was made from still exists. Removes documents of older copies. */
export async function putDocument(db: Database, row: DocumentRow): Promise<void> {
  const { teamId, key, copiedAt, document, leads } = row;
  const storedSize = document.bytes.byteLength + (leads?.bytes.byteLength ?? 0);
  // Locks the copy before its documents, in the same order as removal does.
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
    ) < ${raw(String(MAX_SHAPES))}
    ${locking}
    on conflict (team_id, page_key, shape) do update set
      copied_at = excluded.copied_at, warning = excluded.warning, costs = excluded.costs, size = excluded.size,
      leads_size = excluded.leads_size, stored_size = excluded.stored_size, document = excluded.document, leads = excluded.leads
    where page_documents.copied_at < excluded.copied_at`);
  const forget = db.run(sql`
    delete from page_documents where team_id = ${teamId} and page_key = ${key} and copied_at < ${copiedAt}`);
  // The two statements are independent, so PostgreSQL gets both at once.
  await Promise.all([put, forget]);
}

/** Reads the columns of a row, in which `size` is called `document_size`. */
export function toDocumentPart(row: Row): DocumentPart {
  const leads = nullable(bytes)(row.leads);
  return {
    document: { bytes: bytes(row.document), size: integer(row.document_size) },
    warning: nullable(text)(row.warning),
    costs: nullable(text)(row.costs),
    leads: leads && { bytes: leads, size: integer(row.leads_size) },
  };
}
