import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

/** The prefix of a secret in the Standard Webhooks specification; the rest is the key in base64. */
const PREFIX = 'whsec_';
/** The specification asks for 24 to 64. */
const KEY_BYTES = 32;

/** The signing secret of a team's webhooks; created when it is first needed. */
export async function webhookSecret(store: Store, teamId: string): Promise<string> {
  const known = await store.webhooks.secret(teamId);
  return known ?? store.webhooks.putSecret(teamId, newSecret(), { replaces: false });
}

/** Replaces the secret of a team. Everything sent from now on is signed with the new one, including waiting events. */
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
