import type { Discovered } from '../content/page-content.ts';
import type { ShellReport } from '../content/shell.ts';
import { type Compressed, compressHere } from '../store/compression.ts';
import { MAX_DOCUMENT_LENGTH } from './document.ts';
import { type DocumentParts, makeDocument } from './make-document.ts';

/** The links of a page that a crawl may follow. */
export interface PageLinks {
  /** Addresses not marked `nofollow`, each once, in document order. */
  links: string[];
  /** The canonical address that the page declares (RFC 6596). */
  canonical: string | undefined;
}

/** A background page, ready to store. */
export interface PackedPage {
  /** The document as JSON. */
  document: Compressed;
  /** The page as it came, if it is to be cached. */
  copy: Compressed | undefined;
  pageLinks: PageLinks | undefined;
  /** Of a page in HTML. */
  shell: ShellReport | undefined;
  /** For the cache, if the document is to be stored there. */
  cached: { warning: string | null; leads: Compressed | null } | undefined;
}

/**
 * Total length of the linked addresses of one page, in characters: enough for 40,000 typical ones. Without this bound, a page
 * with 100,000 relative links below an address of 1,000 characters crashed the thread that writes to SQLite.
 */
const MAX_LINK_CHARS = 4_000_000;

/** What a packed page is made from. */
export interface PackParts extends DocumentParts {
  /** Whether to cache the document, and the page too if it did not come from the cache. */
  keep: boolean;
}

/**
 * Makes the document of a page, and compresses both. To be run in a reading thread: what it sends back to the main thread is a
 * sixth of the page, and leaves that thread a tenth of the work, which is to send it on.
 */
export function packPage({ keep, ...parts }: PackParts): PackedPage {
  const { document, discovered, shell, warning = null } = makeDocument(parts);
  const text = JSON.stringify(document);
  const pageLinks = discovered && pageLinksOf(discovered);
  const isNew = parts.obtained.storedAt === undefined;
  return {
    document: compressHere(text),
    copy: keep && isNew ? compressHere(parts.obtained.page.body) : undefined,
    pageLinks,
    shell,
    cached: keep && text.length <= MAX_DOCUMENT_LENGTH ? toCached(warning, pageLinks) : undefined,
  };
}

export function pageLinksOf(discovered: Discovered): PageLinks {
  return { links: discovered.nofollow ? [] : linksOf(discovered), canonical: discovered.canonical };
}

/** What the cache stores beside a document. Undefined if that is too much. */
export function toCached(warning: string | null, pageLinks: PageLinks | undefined): PackedPage['cached'] {
  if (pageLinks === undefined) return { warning, leads: null };
  const text = JSON.stringify(pageLinks);
  return text.length > MAX_DOCUMENT_LENGTH ? undefined : { warning, leads: compressHere(text) };
}

/** The links that may be followed, up to the bound. */
function linksOf({ links }: Discovered): string[] {
  const followed = links.filter(({ nofollow }) => !nofollow).map(({ url }) => url);
  let left = MAX_LINK_CHARS;
  const end = followed.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return end === -1 ? followed : followed.slice(0, end);
}
