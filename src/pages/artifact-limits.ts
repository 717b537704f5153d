import { TrawlError } from '../errors.ts';
import type { Artifact } from './stages.ts';

const MB = 1024 * 1024;
/** As large as the largest file that can be uploaded. */
const MOST_BYTES = 50 * MB;
/** Of one page together. They are in memory until they are kept. */
const MOST_BYTES_OF_PAGE = 100 * MB;
/** As many as a page can be acted on. */
const MOST_OF_PAGE = 50;

/** Throws SCRAPE_PAGE_TOO_LARGE before any of them is kept. */
export function requireRoomFor(artifacts: readonly Artifact[]): void {
  const sizes = artifacts.map(({ bytes }) => bytes.byteLength);
  if (sizes.length > MOST_OF_PAGE) throw tooLarge(`${sizes.length} files, and at most ${MOST_OF_PAGE} are kept`);
  if (sizes.some((size) => size > MOST_BYTES)) throw tooLarge(`a file of more than ${MOST_BYTES / MB} MB`);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all > MOST_BYTES_OF_PAGE) throw tooLarge(`files of more than ${MOST_BYTES_OF_PAGE / MB} MB together`);
}

function tooLarge(what: string): TrawlError {
  return new TrawlError('SCRAPE_PAGE_TOO_LARGE', `The page gives ${what}. Ask for less of it.`);
}
