import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { TrawlError } from '../../errors.ts';

/** Bytes of a key. */
export const KEY_BYTES = 32;

/** The prefix of the base64url of sealed text. Text without it is not sealed. */
const PREFIX = 'sealed:';
/**
 * The first byte of sealed bytes: AES-256-GCM (NIST SP 800-38D), then a random nonce of 12 bytes, the ciphertext, and a
 * tag of 16 bytes.
 */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and authenticates bytes.
 *
 * @param purpose what the bytes are, so that they cannot be passed off as something else
 */
export function sealBytes(key: KeyObject, purpose: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws SECRET_MISMATCH for bytes that were sealed with another key or for another purpose. */
export function openBytes(key: KeyObject, purpose: string, sealed: Uint8Array): Buffer {
  const head = 1 + NONCE_BYTES;
  if (sealed[0] !== VERSION || sealed.byteLength < head + TAG_BYTES) throw secretMismatch();
  const nonce = sealed.subarray(1, head);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(head, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw secretMismatch(cause);
  }
}

/** The same for text, as text. */
export function sealText(key: KeyObject, purpose: string, plain: string): string {
  return PREFIX + sealBytes(key, purpose, Buffer.from(plain)).toString('base64url');
}

/** Text that was never sealed is returned unchanged. Throws SECRET_MISMATCH. */
export function openText(key: KeyObject, purpose: string, text: string): string {
  if (!text.startsWith(PREFIX)) return text;
  return openBytes(key, purpose, Buffer.from(text.slice(PREFIX.length), 'base64url')).toString();
}

export function isSecretMismatch(error: unknown): boolean {
  return error instanceof TrawlError && error.code === 'SECRET_MISMATCH';
}

function secretMismatch(cause?: unknown): TrawlError {
  return new TrawlError(
    'SECRET_MISMATCH',
    'This was encrypted with another TRAWL_SECRET and cannot be decrypted. Give every process the original secret.',
    { cause },
  );
}
