import { now } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { Account } from './credits.ts';
import { TOKENS_PER_CREDIT } from './prices.ts';

/**
 * Charges an Extract job when it is done: its tokens, for the token usage report, and their worth in credits, rounded
 * up. Releases the job's reservation. Charges each job once, however often it is called. Resolves with whether this
 * call charged it.
 */
export function chargeExtract(
  store: Store,
  { teamId, keyId }: Pick<Account, 'teamId' | 'keyId'>,
  { jobId, tokens }: { jobId: string; tokens: number },
): Promise<boolean> {
  const charge = {
    teamId,
    key: `extract:${jobId}` as const,
    keyId,
    capability: 'extract',
    jobId,
    credits: Math.ceil(tokens / TOKENS_PER_CREDIT),
    items: null,
    tokens,
    chargedAt: now(),
  };
  return store.usage.charge(charge, jobId);
}
