import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
/** Each key seals only one artifact, so the nonce may be the same for all (NIST SP 800-38D section 8). */
const NONCE = Buffer.alloc(12);

/**
 * Encrypts and authenticates bytes with a key of their own. The tag comes first, so that they can be decrypted as a
 * stream.
 */
export function sealArtifact(key: Buffer, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, NONCE);
  const sealed = cipher.update(plain);
  cipher.final();
  return Buffer.concat([cipher.getAuthTag(), sealed]);
}

/** Decrypts a stream. A change of the bytes is detected at the end: then the stream fails before its last byte. */
export async function* openArtifact(key: Buffer, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  let tag = Buffer.alloc(0);
  let last: Buffer | undefined;
  for await (const chunk of sealed) {
    const rest = chunk.subarray(TAG_BYTES - tag.length);
    if (tag.length < TAG_BYTES) {
      tag = Buffer.concat([tag, chunk.subarray(0, TAG_BYTES - tag.length)]);
      if (tag.length === TAG_BYTES) decipher.setAuthTag(tag);
    }
    if (rest.length === 0) continue;
    if (last !== undefined) yield last;
    last = decipher.update(rest);
  }
  decipher.final();
  if (last !== undefined) yield last;
}
