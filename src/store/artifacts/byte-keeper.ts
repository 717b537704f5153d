import type { Readable } from 'node:stream';
import type { ArtifactName } from '../operations/artifacts.ts';

/**
 * Keeps the bytes of artifacts: a folder, tables of PostgreSQL, or an S3-compatible store. It knows nothing of types, times and
 * addresses. Each method rejects with BytesAway when it cannot do its work now.
 */
export interface ByteKeeper {
  /** Resolves when the bytes are durable. What fails or is killed may leave a part of them, which `remove` removes. */
  put(name: ArtifactName, bytes: Uint8Array): Promise<void>;
  /** The bytes as they are read; null when there are none. Who does not read them to their end destroys the stream. */
  get(name: ArtifactName): Promise<Readable | null>;
  /** Resolves when nothing is there under this name, whether there was or not. */
  remove(name: ArtifactName): Promise<void>;
  close(): Promise<void>;
}
