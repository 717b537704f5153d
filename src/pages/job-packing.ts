import { type Compressed, compress } from '../store/compression.ts';
import type { CacheRow } from '../store/operations/pages.ts';
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
  copy: CacheRow;
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
      return {
        url: page.url,
        status: page.status,
        document,
        copy: { page: row, document: cached && place && { ...place, ...cached, costs: null, document } },
        leads,
        costs,
      };
    },
    async pack({ document, cached, url, status, leads, costs }) {
      const text = JSON.stringify(document);
      const packed = await compress(text);
      const kept = cached?.document ?? (text.length <= MOST_DOCUMENT ? packed : undefined);
      const row = cached && kept && { ...cached, document: kept };
      return { url, status, document: packed, copy: { document: row ?? undefined }, leads, costs };
    },
  };
}
