import type { LargeResults } from './artifacts/large-results.ts';
import type { Runner } from './database.ts';
import type { Sealing } from './sealing.ts';

/** What documents of results are stored with and read by. */
export interface Documents {
  runner: Runner;
  sealing: Sealing;
  largeResults: LargeResults;
}
