import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { KEY_BYTES, openBytes, openText, sealBytes, sealText } from './cipher.ts';

/** The size of a job's random key: one half encrypts, the other half makes lookups. */
export const JOB_KEY_BYTES = 2 * KEY_BYTES;

/** The values of a job that are sealed: options and webhook always, the rest with zero data retention. */
export type Sealed = 'options' | 'webhook' | 'address' | 'error' | 'document' | 'event';

/** Seals the stored values of one job with its own key. Once that key is erased, no copy of them can be read. */
export class JobSeal {
  /** Whether tasks are sealed: their payloads, keys, errors and documents. */
  readonly hidesTasks: boolean;
  // Key objects, because a key given as bytes would be parsed for each value: 20 µs instead of 3.
  readonly #cipherKey: KeyObject;
  readonly #lookupKey: KeyObject;

  constructor(key: Buffer, { hidesTasks }: { hidesTasks: boolean }) {
    this.hidesTasks = hidesTasks;
    this.#cipherKey = createSecretKey(key.subarray(0, KEY_BYTES));
    this.#lookupKey = createSecretKey(key.subarray(KEY_BYTES));
  }

  seal(what: Sealed, text: string): string {
    return sealText(this.#cipherKey, what, text);
  }

  open(what: Sealed, text: string): string {
    return openText(this.#cipherKey, what, text);
  }

  sealBytes(what: Sealed, bytes: Uint8Array): Buffer {
    return sealBytes(this.#cipherKey, what, bytes);
  }

  openBytes(what: Sealed, bytes: Uint8Array): Buffer {
    return openBytes(this.#cipherKey, what, bytes);
  }

  /** A keyed hash of a task's key, or of a shape of addresses. */
  lookup(key: string): string {
    return createHmac('sha256', this.#lookupKey).update(key).digest('base64url');
  }
}
