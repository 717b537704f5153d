import { type Compressed, compress, decompress } from './compression.ts';
import type { Runner } from './database.ts';
import type { DocumentPart } from './operations/page-documents.ts';
import { type FoundPage, getPage, listAddresses, type PageCursor, type PageRow, putPage } from './operations/pages.ts';

/** A fetched page, as far as it is stored. */
export interface StoredPage {
  url: string;
  status: number;
  headers: Record<string, string>;
  contentType: string;
  body: Uint8Array;
  /** Whether `body` is text. Text is UTF-8. */
  isText: boolean;
  proxyUsed: 'basic' | 'enhanced';
}

export interface StoredCopy {
  page: StoredPage;
  /** Milliseconds since the epoch. */
  storedAt: number;
}

/** A document made from a copy, and the stored facts about its page. */
export interface StoredDocument extends DocumentPart {
  page: Omit<StoredPage, 'body'>;
  /** When the copy was stored, in milliseconds since the epoch. */
  storedAt: number;
}

/** Stores a copy for the team and replaces an older one. */
export async function putCopy(runner: Runner, teamId: string, key: string, copy: StoredCopy): Promise<void> {
  await runner.writeOnce(putPage, toPageRow(teamId, key, copy, await compress(copy.page.body)));
}

/** A copy as a row. Its body may already be compressed. */
export function toPageRow(
  teamId: string,
  key: string,
  { page, storedAt }: { page: Omit<StoredPage, 'body'>; storedAt: number },
  body: Compressed,
): PageRow {
  return {
    teamId,
    key,
    storedAt,
    url: page.url,
    site: siteOf(new URL(page.url).hostname),
    status: page.status,
    headers: JSON.stringify(page.headers),
    contentType: page.contentType,
    isText: page.isText,
    proxyUsed: page.proxyUsed,
    body,
  };
}

/** The team's copy; null if there is none. */
export async function getCopy(runner: Runner, teamId: string, key: string): Promise<StoredCopy | null> {
  const row = await runner.read(getPage, { teamId, key, shape: null });
  return row !== null && 'body' in row.found ? toCopy(row, row.found.body) : null;
}

/** A document of this shape that was made from the team's copy; else the copy; else null. */
export async function getDocument(
  runner: Runner,
  teamId: string,
  key: string,
  shape: string,
): Promise<StoredDocument | StoredCopy | null> {
  const row = await runner.read(getPage, { teamId, key, shape });
  if (row === null) return null;
  const { found, storedAt } = row;
  return 'body' in found ? toCopy(row, found.body) : { ...found.document, page: toPage(row), storedAt };
}

async function toCopy(row: FoundPage, body: Compressed): Promise<StoredCopy> {
  return { page: { ...toPage(row), body: await decompress(body) }, storedAt: row.storedAt };
}

function toPage(row: FoundPage): Omit<StoredPage, 'body'> {
  return {
    url: row.url,
    status: row.status,
    headers: JSON.parse(row.headers),
    contentType: row.contentType,
    isText: row.isText,
    proxyUsed: row.proxyUsed === 'enhanced' ? 'enhanced' : 'basic',
  };
}

/**
 * Addresses of the team's copies on hosts of the domain, and where to continue. May include other domains with the same
 * beginning.
 */
export async function listUrls(
  runner: Runner,
  teamId: string,
  domain: string,
  { after, limit }: { after: PageCursor | null; limit: number },
): Promise<{ urls: string[]; next: PageCursor | null }> {
  const pages = await runner.read(listAddresses, { teamId, site: siteOf(domain), after, limit });
  const next = pages.length < limit ? null : (pages.at(-1) ?? null);
  return { urls: pages.map(({ url }) => url), next };
}

/** A host with its labels reversed, so that the hosts of one domain sort next to each other. */
function siteOf(host: string): string {
  return host.split('.').reverse().join('.');
}
