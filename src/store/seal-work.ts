import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compressed } from './compression.ts';
import type { NewPage, RefusedPage } from './operations/jobs/add-pages.ts';
import type { ClaimedPage } from './operations/jobs/claim-pages.ts';
import type { EndedPage, PageAddress, PageEnd } from './operations/jobs/complete-pages.ts';
import type { FailedPage } from './operations/jobs/read-job.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';
import type { Sealing } from './sealing.ts';

// What pages of jobs are stored as, and what they are again. A job whose pages are not hidden has no seal here: its pages
// stay as they are, but for the names of hosts.

/** Pages sealed in one turn of the event loop: 10 ms. */
const TURN = 500;

export async function sealPages(sealing: Sealing, seal: JobSeal | null, pages: readonly NewPage[]): Promise<NewPage[]> {
  const named = pages.map((page) => ({ ...page, host: sealing.host(page.host) }));
  if (seal === null) return named;
  const sealed: NewPage[] = [];
  for (const [index, page] of named.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    sealed.push(sealPage(seal, page));
  }
  return sealed;
}

function sealPage(seal: JobSeal, page: NewPage): NewPage {
  const { key, url, shape = null } = page;
  return {
    ...page,
    key: key && seal.lookup(key),
    url: seal.seal('address', url),
    shape: shape && { key: seal.lookup(shape.key), family: shape.family && seal.lookup(shape.family) },
  };
}

export function sealRefused(seal: JobSeal | null, refused: readonly RefusedPage[]): readonly RefusedPage[] {
  if (seal === null) return refused;
  return refused.map(({ key, url, scrapeId, error }) => ({
    key: seal.lookup(key),
    url: seal.seal('address', url),
    scrapeId,
    error: error && { code: error.code, message: seal.seal('error', error.message) },
  }));
}

export async function sealEnded(sealing: Sealing, page: EndedPage): Promise<EndedPage> {
  const { job, end } = page;
  if (end.type === 'failed') {
    // A page fails for it that the key of its job cannot be read: its message tells of nothing else.
    const seal = await sealing.ifReadable(job);
    return !seal?.hidesPages ? page : { ...page, end: { ...end, message: seal.seal('error', end.message) } };
  }
  if (end.type !== 'done') return page;
  const seal = await sealing.ofPages(job);
  return { ...page, end: await sealDone(sealing, seal, end) };
}

type Done = Extract<PageEnd, { type: 'done' }>;

async function sealDone(sealing: Sealing, seal: JobSeal | null, end: Done): Promise<Done> {
  const found = await sealPages(sealing, seal, end.found);
  if (seal === null) return { ...end, found };
  const { document, address, refused = [] } = end;
  return {
    ...end,
    found,
    refused: sealRefused(seal, refused),
    document: { bytes: seal.sealBytes('document', document.bytes), size: document.size },
    address: address && sealAddress(seal, address),
  };
}

function sealAddress(seal: JobSeal, { key, url }: PageAddress): PageAddress {
  return { key: seal.lookup(key), url: seal.seal('address', url) };
}

/** A page whose key cannot be read stays sealed: whoever works on it learns that from its job. */
export async function openClaimed(sealing: Sealing, page: ClaimedPage): Promise<ClaimedPage> {
  try {
    const seal = await sealing.ofPages(page.job);
    return seal === null ? page : { ...page, url: seal.open('address', page.url) };
  } catch (error) {
    if (isSecretMismatch(error)) return page;
    throw error;
  }
}

export function openFailed(seal: JobSeal | null, page: FailedPage): FailedPage {
  if (seal === null) return page;
  return { ...page, url: seal.open('address', page.url), message: page.message && seal.open('error', page.message) };
}

export function openDocument(seal: JobSeal | null, document: Compressed): Compressed {
  if (seal === null) return document;
  return { bytes: seal.openBytes('document', document.bytes), size: document.size };
}
