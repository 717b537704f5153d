import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { KEY_BYTES, openText, sealText } from './cipher.ts';

/** 128 bits, in base64url. */
const LOOKUP_LENGTH = 22;

/** A secret to use when the operator gives none. */
export function generateSecret(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** The keys that are derived from TRAWL_SECRET, each for one purpose (HKDF, RFC 5869). */
export class ServiceSecret {
  readonly #jobKeys: KeyObject;
  readonly #lookups: KeyObject;

  constructor(secret: string) {
    const derive = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)));
    this.#jobKeys = derive('trawl: keys of jobs');
    this.#lookups = derive('trawl: lookups');
  }

  /** Encrypts the key of a job. */
  wrap(jobId: string, key: Buffer): string {
    return sealText(this.#jobKeys, `key of ${jobId}`, key.toString('base64url'));
  }

  /** Throws SECRET_MISMATCH. */
  unwrap(jobId: string, wrapped: string): Buffer {
    return Buffer.from(openText(this.#jobKeys, `key of ${jobId}`, wrapped), 'base64url');
  }

  /** Stands for a value where rows are found by it: equal for equal values, and telling nothing about them. */
  lookup(purpose: string, value: string): string {
    return createHmac('sha256', this.#lookups)
      .update(`${purpose} ${value}`)
      .digest('base64url')
      .slice(0, LOOKUP_LENGTH);
  }
}
