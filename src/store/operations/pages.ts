import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer, text } from '../row.ts';
import { sql } from '../sql.ts';

/** A page of the cache as it is stored. No copy is ever shared between teams. */
export interface PageRow {
  teamId: string;
  /** Hash of everything that has to be equal for the copy to fit a request. */
  key: string;
  storedAt: number;
  url: string;
  /** The host of the address from its end: `com.example.www`. */
  site: string;
  status: number;
  /** JSON. */
  headers: string;
  contentType: string;
  /** The body is text, and in UTF-8 whatever it came in. */
  isText: boolean;
  proxyUsed: string;
  body: Compressed;
}

/** Stores a copy in the place of an older one. A newer one that is there already stays. */
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

/** Stores copies in one order whoever stores them, so that two who store the same ones never wait for each other. */
export async function putPages(db: Database, pages: readonly PageRow[]): Promise<void> {
  const inOrder = [...pages].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  for (const page of inOrder) await putPage(db, page);
}

function orderOf({ teamId, key }: PageRow): string {
  return `${teamId} ${key}`;
}

export async function getPage(
  db: Database,
  { teamId, key, storedSince }: { teamId: string; key: string; storedSince: number },
): Promise<Omit<PageRow, 'site'> | null> {
  const [row] = await db.all(sql`
    select stored_at, url, status, headers, content_type, is_text, proxy_used, size, body
    from pages where team_id = ${teamId} and key = ${key} and stored_at >= ${storedSince}`);
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
    body: { bytes: bytes(row.body), size: integer(row.size) },
  };
}

/** Where a list of addresses goes on. */
export interface PagePlace {
  site: string;
  key: string;
}

/** Pages whose site begins with `site`, behind the place `after`: those of other domains that begin so are among them. */
export async function listAddresses(
  db: Database,
  { teamId, site, after, limit }: { teamId: string; site: string; after: PagePlace | null; limit: number },
): Promise<(PagePlace & { url: string })[]> {
  const from = after ?? { site, key: '' };
  // The character after the dot ends the range: both databases compare by bytes.
  const rows = await db.all(sql`
    select site, key, url from pages
    where team_id = ${teamId} and site <> '' and site < ${`${site}/`} and (site, key) > (${from.site}, ${from.key})
    order by site, key limit ${limit}`);
  return rows.map((row) => ({ site: text(row.site), key: text(row.key), url: text(row.url) }));
}
