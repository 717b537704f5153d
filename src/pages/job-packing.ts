import { utf8Text } from '../fetch/body/utf8.ts';
import { type Compressed, compress, decompress } from '../store/compression.ts';
import type { DocumentRow } from '../store/operations/page-documents.ts';
import type { CacheRow, PageRow } from '../store/operations/pages.ts';
import type { Cost } from '../team/prices.ts';
import { MAX_DOCUMENT_LENGTH } from './document.ts';
import { backgroundTurn } from './own-turn.ts';
import type { PageLinks } from './pack-page.ts';
import type { PageCache } from './page-cache.ts';
import type { Packing } from './page-pipeline.ts';
import type { MakeDocument, PackPage } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';
import { warningField } from './warnings.ts';

/** A page of a job, ready to store. */
export interface PackedJobPage {
  /** The address that answered, after redirects. */
  url: string;
  /** The site's status code. */
  status: number;
  /** The document as JSON. */
  document: Compressed;
  /** For the cache. It is stored with the result, in one commit. */
  copy: CacheRow | undefined;
  /** Present if the request has `discover`. */
  pageLinks: PageLinks | undefined;
  /** Everything it cost. */
  costs: readonly Cost[];
}

interface JobReaders {
  /** Reads and packs a background page in one step. */
  pack: PackPage;
  /** Reads a background page that is packed later. */
  readInBackground: MakeDocument;
  cache: PageCache;
  /** The id of the team. */
  share: string;
}

/** For a page of a job: it is read after all others, and returned in the form in which it is stored. */
export function jobPacking(
  { pack, readInBackground, cache, share }: JobReaders,
  request: ScrapeRequest,
): Packing<PackedJobPage> {
  return {
    urgency: 'job',
    turn: backgroundTurn,
    read: readInBackground,
    background: {
      async readAndPack({ obtained, scrape }, costs, signal) {
        const { page, storedAt } = obtained;
        const keep = storedAt === undefined ? cache.keeps(request, page) : cache.mayStore(request);
        const parts = { obtained, request, scrape, keep };
        const { document, copy, pageLinks, shell, cached } = await pack(parts, share, signal);
        const row = copy && cache.row(request, page, copy);
        const copiedAt = row?.storedAt ?? storedAt;
        const documentKey = copiedAt === undefined ? undefined : cache.documentKey(request, copiedAt);
        const kept = cached && documentKey && { ...documentKey, ...cached, costs: null, document };
        const { url, status } = page;
        return { shell, packed: { url, status, document, copy: cacheRow(row, kept), pageLinks, costs } };
      },
      async addWarning(packed, warning) {
        const document = JSON.parse(utf8Text(await decompress(packed.document)));
        const more = warningField([warning, document.warning]);
        return { ...packed, document: await compress(JSON.stringify({ ...document, ...more })), copy: undefined };
      },
    },
    async pack({ document, cached, url, status, pageLinks, costs }) {
      const text = JSON.stringify(document);
      const packed = await compress(text);
      const kept = cached?.document ?? (text.length <= MAX_DOCUMENT_LENGTH ? packed : undefined);
      const row = cached && kept ? { ...cached, document: kept } : undefined;
      return { url, status, document: packed, copy: cacheRow(undefined, row), pageLinks, costs };
    },
  };
}

function cacheRow(page: PageRow | undefined, document: DocumentRow | undefined): CacheRow | undefined {
  return page === undefined && document === undefined ? undefined : { page, document };
}
