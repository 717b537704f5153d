import { TrawlError } from '../errors.ts';
import type { Artifact } from './stages.ts';

const MB = 1024 * 1024;
/** The same limit as for uploads. */
export const MAX_ARTIFACT_BYTES = 50 * MB;
/** For all artifacts of one page together: they are in memory until they are stored. */
const MAX_PAGE_BYTES = 100 * MB;
/** The same limit as for the actions of one scrape. */
const MAX_PAGE_ARTIFACTS = 50;

/** Throws SCRAPE_PAGE_TOO_LARGE, before any artifact is stored, if one of the limits is exceeded. */
export function checkArtifactLimits(artifacts: readonly Artifact[]): void {
  const sizes = artifacts.map(({ bytes }) => bytes.byteLength);
  if (sizes.length > MAX_PAGE_ARTIFACTS) throw tooLarge(`${sizes.length} files; the limit is ${MAX_PAGE_ARTIFACTS}`);
  if (sizes.some((size) => size > MAX_ARTIFACT_BYTES))
    throw tooLarge(`a file of more than ${MAX_ARTIFACT_BYTES / MB} MB`);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all > MAX_PAGE_BYTES) throw tooLarge(`files of more than ${MAX_PAGE_BYTES / MB} MB together`);
}

function tooLarge(what: string): TrawlError {
  return new TrawlError('SCRAPE_PAGE_TOO_LARGE', `The page produces ${what}. Ask for fewer or smaller files.`);
}
