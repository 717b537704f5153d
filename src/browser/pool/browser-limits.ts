import type { Machine } from './machine.ts';

export interface BrowserLimits {
  /** Pages that are open at the same time. */
  contexts: number;
  /** Memory of all processes of the browser together, in bytes. */
  bytes: number;
  /** Memory of the process of one page, in bytes. */
  pageBytes: number;
}

const MB = 1024 * 1024;
/** A usual page takes 30 to 150 MB, and the browser itself 150. */
const BYTES_PER_CONTEXT = 250 * MB;
/** Rendering keeps a processor busy for half of its time; the rest is waiting for the network. */
const CONTEXTS_PER_PROCESSOR = 2;
/** More than that at once made no page quicker in any measurement, and each takes time of the serving thread. */
const MOST_CONTEXTS = 16;
/** A document of a million elements takes 900 MB. */
const MOST_PAGE_BYTES = 1536 * MB;

/**
 * Half of the memory is the browser's.
 * @param contexts TRAWL_BROWSER_CONTEXTS
 */
export function browserLimits({ memory, processors }: Machine, contexts: number | undefined): BrowserLimits {
  const bytes = memory / 2;
  const fitting = Math.floor(Math.min(bytes / BYTES_PER_CONTEXT, processors * CONTEXTS_PER_PROCESSOR, MOST_CONTEXTS));
  return { contexts: contexts ?? Math.max(1, fitting), bytes, pageBytes: Math.min(MOST_PAGE_BYTES, bytes) };
}
