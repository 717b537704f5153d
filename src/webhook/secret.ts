import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

/** What marks a secret in the Standard Webhooks specification; the rest of it is base64 of the key. */
const PREFIX = 'whsec_';
/** The specification asks for 24 to 64. */
const KEY_BYTES = 32;

/** What the webhooks of a team are signed with; made when it is first needed. */
export async function webhookSecret(store: Store, teamId: string): Promise<string> {
  const known = await store.webhooks.secret(teamId);
  return known ?? store.webhooks.putSecret(teamId, newSecret(), { replaces: false });
}

/** Gives the team another secret. What is sent from now on is signed with it, also the events that wait. */
export function renewWebhookSecret(store: Store, teamId: string): Promise<string> {
  return store.webhooks.putSecret(teamId, newSecret(), { replaces: true });
}

function newSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

/** The bytes that Standard Webhooks signs with. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
