import { now } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { Account } from './credits.ts';
import { TOKENS_PER_CREDIT } from './prices.ts';

/**
 * Charges an Extract job when it is done: its tokens, which the token usage report counts, and the credits that they are
 * worth, a begun one in full. What was set aside under the job's id is given back. Once for each job, however often it is
 * asked for. Resolves with whether this call charged it.
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
