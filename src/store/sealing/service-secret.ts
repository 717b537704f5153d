import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_BYTES, openBytes, openText, sealBytes, sealText } from './cipher.ts';

/** 128 bits, in base64url. */
const LOOKUP_LENGTH = 22;

/** A secret for when the operator gives none. */
export function generateSecret(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** The keys derived from TRAWL_SECRET, one for each purpose (HKDF, RFC 5869). */
export class ServiceSecret {
  readonly #jobKeys: KeyObject;
  readonly #profiles: KeyObject;
  readonly #lookups: KeyObject;
  readonly #signatures: KeyObject;

  constructor(secret: string) {
    const derive = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)));
    this.#jobKeys = derive('trawl: keys of jobs');
    this.#profiles = derive('trawl: browser profiles');
    this.#lookups = derive('trawl: lookups');
    this.#signatures = derive('trawl: signatures');
  }

  /** Encrypts the key of a job. */
  wrap(jobId: string, key: Buffer): string {
    return sealText(this.#jobKeys, `key of ${jobId}`, key.toString('base64url'));
  }

  /** Throws SECRET_MISMATCH. */
  unwrap(jobId: string, wrapped: string): Buffer {
    return Buffer.from(openText(this.#jobKeys, `key of ${jobId}`, wrapped), 'base64url');
  }

  /**
   * Encrypts the state of a browser profile.
   * @param profile names it
   */
  sealProfile(profile: string, state: Uint8Array): Buffer {
    return sealBytes(this.#profiles, profile, state);
  }

  /** Throws SECRET_MISMATCH. */
  openProfile(profile: string, sealed: Uint8Array): Buffer {
    return openBytes(this.#profiles, profile, sealed);
  }

  /** A keyed hash by which rows are found: equal for equal values, and revealing nothing about them. */
  lookup(purpose: string, value: string): string {
    return createHmac('sha256', this.#lookups)
      .update(`${purpose} ${value}`)
      .digest('base64url')
      .slice(0, LOOKUP_LENGTH);
  }
  /** Signs a text (HMAC-SHA-256): a valid signature proves that it came from this service. */
  sign(text: string): string {
    return createHmac('sha256', this.#signatures).update(text).digest('base64url');
  }

  /** Compares in constant time, so that the time reveals nothing about the right signature. */
  isSigned(text: string, signature: string): boolean {
    const [right, given] = [this.sign(text), signature].map((each) => Buffer.from(each));
    return right !== undefined && given?.length === right.length && timingSafeEqual(right, given);
  }
}
