import { newId, now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Compressed } from '../compression.ts';
import type { Runner } from '../database.ts';
import { type ArtifactName, beginArtifact } from '../operations/artifacts.ts';
import type { NewDocument, StoredDocument } from '../operations/stored-document.ts';
import { BytesAway } from '../store-away.ts';
import { COMING_MS } from './artifacts.ts';
import type { ByteKeeper } from './byte-keeper.ts';

/** Documents above this size, as stored, are large. */
export const LARGE_BYTES = 256 * 1024;
/** How long a result may wait for a folder or a bucket before it is stored in its row instead. */
const PUT_MS = 4_000;
/** After a failure, how long until the next try. */
const PAUSE_MS = 30_000;
const GET_MS = 20_000;
/** What sealing and compression add to a document at most. */
const OVERHEAD = 1024;

const ARTIFACT_TYPE = 'application/zstd';
const NO_BYTES = new Uint8Array();

/**
 * Keeps the bytes of large results out of the database, where there is another place for them. The row of the artifact
 * comes before the bytes, and the transaction that writes the row of the result claims them: bytes that nobody claimed
 * within five minutes are removed by retention, and so are those whose result was removed.
 */
export class LargeResults {
  readonly #runner: Runner;
  readonly #keeper: ByteKeeper;
  readonly #onAway: (error: BytesAway) => void;
  /** When the keeper last failed, or was last tried after a failure; null while it works. */
  #failedAt: number | null = null;

  /** @param onAway called when the keeper begins to fail */
  constructor(runner: Runner, keeper: ByteKeeper, onAway: (error: BytesAway) => void) {
    this.#runner = runner;
    this.#keeper = keeper;
    this.#onAway = onAway;
  }

  /** Stores the bytes of a large document, and returns what goes into its row. A keeper that fails leaves them there. */
  async put(teamId: string, document: Compressed): Promise<NewDocument> {
    const { bytes, size } = document;
    if (bytes.byteLength <= LARGE_BYTES || !this.#keeper.isOutside) return document;
    const begunAt = performance.now();
    if (this.#failedAt !== null) {
      if (begunAt < this.#failedAt + PAUSE_MS) return document;
      // Only this one tries.
      this.#failedAt = begunAt;
    }
    const artifact = { teamId, id: newId(), size: bytes.byteLength };
    const at = now();
    const row = { teamId, id: artifact.id, type: ARTIFACT_TYPE, size: artifact.size, at, until: at + COMING_MS };
    await this.#runner.writeOnce(beginArtifact, row);
    try {
      await this.#keeper.put(artifact, bytes, AbortSignal.timeout(PUT_MS));
    } catch (error) {
      if (!(error instanceof BytesAway)) throw error;
      if (this.#failedAt === null) this.#onAway(error);
      this.#failedAt = performance.now();
      return document;
    }
    if (this.#failedAt !== null && begunAt >= this.#failedAt) this.#failedAt = null;
    return { bytes: NO_BYTES, size, artifact };
  }

  /** A document with its bytes. Throws STORE_UNAVAILABLE while they cannot be read, and INTERNAL_ERROR if they are gone. */
  async get({ bytes, size, artifact }: StoredDocument): Promise<Compressed> {
    if (artifact === null) return { bytes, size };
    const read = await readBytes(this.#keeper, artifact, size);
    if (read === null) throw missing(artifact);
    return { bytes: read, size };
  }
}

/** The stored bytes of a document of this size; null if there are none. Throws BytesAway. */
export async function readBytes(keeper: ByteKeeper, name: ArtifactName, size: number): Promise<Buffer | null> {
  const stream = await keeper.get(name, AbortSignal.timeout(GET_MS));
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > size + OVERHEAD) throw new Error(`it has more than ${size + OVERHEAD} bytes`);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new BytesAway(`The file ${name.id} of a large result cannot be read: ${reason}.`, { cause });
  }
  return Buffer.concat(chunks);
}

function missing({ id }: ArtifactName): TrawlError {
  return new TrawlError(
    'INTERNAL_ERROR',
    `The file ${id} of a large result is missing from the folder "files" of the data directory, or from the bucket. If the settings TRAWL_S3_… were changed, change them back; otherwise scrape the page again.`,
  );
}
