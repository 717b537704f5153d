import type { Readable } from 'node:stream';
import type { ArtifactName } from '../operations/artifacts.ts';

/**
 * Stores the bytes of artifacts: in a folder, in tables of PostgreSQL, or in an S3-compatible store. It knows nothing
 * about types, expiry or addresses. Every method rejects with BytesAway while the storage is unavailable.
 */
export interface ByteKeeper {
  /** Whether the bytes are outside of the database. */
  readonly isOutside: boolean;
  /** Resolves when the bytes are durable. A failed, killed or aborted write may leave a part of them, which `remove` deletes. */
  put(name: ArtifactName, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Streams the bytes; null if there are none. A caller that does not read to the end must destroy the stream. */
  get(name: ArtifactName, signal?: AbortSignal): Promise<Readable | null>;
  /** Resolves when nothing is stored under this name, even if nothing was. */
  remove(name: ArtifactName): Promise<void>;
  close(): Promise<void>;
}
