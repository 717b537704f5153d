import { createHmac } from 'node:crypto';
import { signingKey } from './secret.ts';

/**
 * The headers that prove to a receiver that an event is ours: those of Standard Webhooks, and the older one that
 * existing clients know. The older one covers no time, so receivers that can choose should check the others.
 * @param at milliseconds since the epoch: receivers refuse what was signed long ago
 */
export function signatureHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed}`,
    'X-Firecrawl-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
}
