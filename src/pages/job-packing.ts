import { type Compressed, compress } from '../store/compression.ts';
import type { DocumentRow } from '../store/operations/page-documents.ts';
import type { CacheRow, PageRow } from '../store/operations/pages.ts';
import type { Cost } from '../team/prices.ts';
import { MOST_DOCUMENT } from './document.ts';
import { backgroundTurn } from './own-turn.ts';
import type { Leads } from './pack-page.ts';
import type { PageCache } from './page-cache.ts';
import type { Packing } from './page-way.ts';
import type { MakeDocument, PackPage } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';

/** A page of a job, ready to be stored. */
export interface PackedJobPage {
  /** The address that answered, after redirects. */
  url: string;
  /** What the site answered. */
  status: number;
  /** The document as JSON. */
  document: Compressed;
  /** For the cache: it is stored with the result, in one commit. */
  copy: CacheRow | undefined;
  /** When `discover` was asked for. */
  leads: Leads | undefined;
  /** All that it cost. */
  costs: readonly Cost[];
}

interface JobReaders {
  /** Where pages are read that nobody waits for, and packed in the same go. */
  pack: PackPage;
  /** The same for pages that are packed later. */
  readAside: MakeDocument;
  cache: PageCache;
  /** The id of the team. */
  share: string;
}

/** A page of a job is read after all others, and given back as it is stored. */
export function jobPacking(
  { pack, readAside, cache, share }: JobReaders,
  request: ScrapeRequest,
): Packing<PackedJobPage> {
  return {
    turn: backgroundTurn,
    read: readAside,
    async atOnce({ obtained, told }, costs, signal) {
      const { page, storedAt } = obtained;
      const keep = storedAt === undefined ? cache.keeps(request, page) : cache.mayStore(request);
      const parts = { obtained, request, told, keep };
      const { document, copy, leads, cached } = await pack(parts, share, signal);
      const row = copy && cache.row(request, page, copy);
      const copiedAt = row?.storedAt ?? storedAt;
      const place = copiedAt === undefined ? undefined : cache.placeOf(request, copiedAt);
      const kept = cached && place && { ...place, ...cached, costs: null, document };
      const { url, status } = page;
      return { url, status, document, copy: cacheRow(row, kept), leads, costs };
    },
    async pack({ document, cached, url, status, leads, costs }) {
      const text = JSON.stringify(document);
      const packed = await compress(text);
      const kept = cached?.document ?? (text.length <= MOST_DOCUMENT ? packed : undefined);
      const row = cached && kept ? { ...cached, document: kept } : undefined;
      return { url, status, document: packed, copy: cacheRow(undefined, row), leads, costs };
    },
  };
}

function cacheRow(page: PageRow | undefined, document: DocumentRow | undefined): CacheRow | undefined {
  return page === undefined && document === undefined ? undefined : { page, document };
}
