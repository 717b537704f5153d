import { type Compressed, compressHere } from '../store/compression.ts';
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
}

/** What a packed page is made of. */
export interface PackParts extends DocumentParts {
  /** Whether a copy of the page is to be kept. */
  keep: boolean;
}

/**
 * Makes the document of a page, and compresses it and the page: for a thread of its own. What is sent back to the thread
 * that serves is a sixth of the page, and that thread is left with the sending alone, a tenth of the work.
 */
export function packPage({ keep, ...parts }: PackParts): PackedPage {
  const { document, discovered } = makeDocument(parts);
  return {
    document: compressHere(JSON.stringify(document)),
    copy: keep ? compressHere(parts.obtained.page.body) : undefined,
    leads: discovered && {
      links: discovered.nofollow ? [] : discovered.links.filter(({ nofollow }) => !nofollow).map(({ url }) => url),
      canonical: discovered.canonical,
    },
  };
}
