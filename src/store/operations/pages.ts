import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer, text } from '../row.ts';
import { sql } from '../sql.ts';
import { type DocumentPart, type DocumentRow, putDocument, toDocumentPart } from './page-documents.ts';

/** A page of the cache, as stored. Teams never share a copy. */
export interface PageRow {
  teamId: string;
  /** Hash of everything that must be equal for the copy to satisfy a request. */
  key: string;
  storedAt: number;
  url: string;
  /** The host of the address with its labels reversed: `com.example.www`. */
  site: string;
  status: number;
  /** JSON. */
  headers: string;
  contentType: string;
  /** Whether the body is text. Text is stored as UTF-8, whatever its original encoding. */
  isText: boolean;
  proxyUsed: string;
  body: Compressed;
}

/** Stores a copy and replaces an older one. A newer one stays. */
export async function putPage(db: Database, page: PageRow): Promise<void> {
  const { body } = page;
  await db.run(sql`
    insert into pages (
      team_id, key, stored_at, url, status, headers, content_type, is_text, proxy_used, size, stored_size, body, site
    ) values (
      ${page.teamId}, ${page.key}, ${page.storedAt}, ${page.url}, ${page.status}, ${page.headers}, ${page.contentType},
      ${Number(page.isText)}, ${page.proxyUsed}, ${body.size}, ${body.bytes.byteLength}, ${body.bytes},
      ${page.site}
    )
    on conflict (team_id, key) do update set
      stored_at = excluded.stored_at, url = excluded.url, status = excluded.status, headers = excluded.headers,
      content_type = excluded.content_type, is_text = excluded.is_text, proxy_used = excluded.proxy_used,
      size = excluded.size, stored_size = excluded.stored_size, body = excluded.body, site = excluded.site
    where pages.stored_at <= excluded.stored_at`);
}

/** What one write adds to the cache: a copy, a document of a copy, or both. */
export interface CacheRow {
  page?: PageRow | undefined;
  document?: DocumentRow | undefined;
}

/** Stores copies and documents in one fixed order, so that concurrent writers of the same ones cannot deadlock. */
export async function putCacheRows(db: Database, rows: readonly CacheRow[]): Promise<void> {
  const inOrder = <Row extends { teamId: string; key: string }>(some: Row[]) =>
    some.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  for (const page of inOrder(rows.flatMap(({ page }) => page ?? []))) await putPage(db, page);
  for (const document of inOrder(rows.flatMap(({ document }) => document ?? []))) await putDocument(db, document);
}

function orderOf({ teamId, key }: { teamId: string; key: string }): string {
  return `${teamId} ${key}`;
}

/** A copy, without its body if a document of it was found. */
export interface FoundPage extends Omit<PageRow, 'site' | 'body'> {
  found: { body: Compressed } | { document: DocumentPart };
}

/** The copy with this key. If a document of this shape was made from it, the document replaces the body. */
export async function getPage(
  db: Database,
  { teamId, key, shape }: { teamId: string; key: string; shape: string | null },
): Promise<FoundPage | null> {
  const [row] = await db.all(sql`
    select
      pages.stored_at, pages.url, pages.status, pages.headers, pages.content_type, pages.is_text, pages.proxy_used, pages.size,
      known.warning, known.costs, known.size as document_size, known.leads_size, known.document, known.leads,
      case when known.document is null then pages.body end as body
    from pages left join page_documents as known
      on known.team_id = pages.team_id and known.page_key = pages.key and known.shape = ${shape}
      and known.copied_at = pages.stored_at
    where pages.team_id = ${teamId} and pages.key = ${key}`);
  if (row === undefined) return null;
  return {
    teamId,
    key,
    storedAt: integer(row.stored_at),
    url: text(row.url),
    status: integer(row.status),
    headers: text(row.headers),
    contentType: text(row.content_type),
    isText: integer(row.is_text) === 1,
    proxyUsed: text(row.proxy_used),
    found:
      row.document === null
        ? { body: { bytes: bytes(row.body), size: integer(row.size) } }
        : { document: toDocumentPart(row) },
  };
}

/** A position in a list of addresses, from which to continue. */
export interface PageCursor {
  site: string;
  key: string;
}

/** Pages whose site begins with `site`, after the position `after`. Includes other domains with the same beginning. */
export async function listAddresses(
  db: Database,
  { teamId, site, after, limit }: { teamId: string; site: string; after: PageCursor | null; limit: number },
): Promise<(PageCursor & { url: string })[]> {
  const from = after ?? { site, key: '' };
  // The range ends at the character after the dot: both databases compare by bytes.
  const rows = await db.all(sql`
    select site, key, url from pages
    where team_id = ${teamId} and site <> '' and site < ${`${site}/`} and (site, key) > (${from.site}, ${from.key})
    order by site, key limit ${limit}`);
  return rows.map((row) => ({ site: text(row.site), key: text(row.key), url: text(row.url) }));
}
