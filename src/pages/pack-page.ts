import type { Discovered } from '../content/page-content.ts';
import { type Compressed, compressHere } from '../store/compression.ts';
import { MOST_DOCUMENT } from './document.ts';
import { type DocumentParts, makeDocument } from './make-document.ts';

/** Where a page leads, as far as a crawl goes there. */
export interface Leads {
  /** Addresses that it does not ask to leave alone, each once, in document order. */
  links: string[];
  /** The address that the page gives as its own (RFC 6596). */
  canonical: string | undefined;
}

/** A page that nobody waits for, ready to be stored. */
export interface PackedPage {
  /** The document as JSON. */
  document: Compressed;
  /** The page as it came, when it is to be kept. */
  copy: Compressed | undefined;
  leads: Leads | undefined;
  /** For the cache, when the document is to be kept there. */
  cached: { warning: string | null; leads: Compressed | null } | undefined;
}

/**
 * Characters of the addresses that one page leads to, all together: enough for 40,000 usual ones. Without this bound a
 * page of 100,000 relative links below an address of 1,000 characters ended the thread that writes to SQLite.
 */
const MAX_LEADS = 4_000_000;

/** What a packed page is made of. */
export interface PackParts extends DocumentParts {
  /** Whether the cache is to keep the document, and the page if that is not from the cache itself. */
  keep: boolean;
}

/**
 * Makes the document of a page, and compresses it and the page: for a thread of its own. What is sent back to the thread
 * that serves is a sixth of the page, and that thread is left with the sending alone, a tenth of the work.
 */
export function packPage({ keep, ...parts }: PackParts): PackedPage {
  const { document, discovered, warning = null } = makeDocument(parts);
  const text = JSON.stringify(document);
  const leads = discovered && leadsOf(discovered);
  const isNew = parts.obtained.storedAt === undefined;
  return {
    document: compressHere(text),
    copy: keep && isNew ? compressHere(parts.obtained.page.body) : undefined,
    leads,
    cached: keep && text.length <= MOST_DOCUMENT ? toCached(warning, leads) : undefined,
  };
}

export function leadsOf(discovered: Discovered): Leads {
  return { links: discovered.nofollow ? [] : linksOf(discovered), canonical: discovered.canonical };
}

/** What the cache keeps beside a document; undefined when that is too much. */
export function toCached(warning: string | null, leads: Leads | undefined): PackedPage['cached'] {
  if (leads === undefined) return { warning, leads: null };
  const text = JSON.stringify(leads);
  return text.length > MOST_DOCUMENT ? undefined : { warning, leads: compressHere(text) };
}

/** The links that may be followed, the first ones up to the bound. */
function linksOf({ links }: Discovered): string[] {
  const followed = links.filter(({ nofollow }) => !nofollow).map(({ url }) => url);
  let left = MAX_LEADS;
  const end = followed.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return end === -1 ? followed : followed.slice(0, end);
}
