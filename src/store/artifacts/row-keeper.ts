import { Readable } from 'node:stream';
import type { Runner } from '../database.ts';
import { type ArtifactName, addChunk, getChunk, removeChunks } from '../operations/artifacts.ts';
import type { ByteKeeper } from './byte-keeper.ts';

/** PostgreSQL reads and writes a value as a whole, so this much of an artifact is in memory at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Stores bytes in PostgreSQL, which all processes share. */
export function rowKeeper(runner: Runner): ByteKeeper {
  return {
    isOutside: false,

    async put(name, bytes) {
      for (let number = 0; number === 0 || number * CHUNK_BYTES < bytes.byteLength; number++) {
        const chunk = bytes.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
        await runner.writeOnce(addChunk, { ...name, number, chunk });
      }
    },

    async get(name) {
      const first = await runner.read(getChunk, { ...name, number: 0 });
      return first && Readable.from(chunksFrom(runner, name, first), { highWaterMark: 1 });
    },

    async remove(name) {
      await runner.writeOnce(removeChunks, name);
    },

    async close() {},
  };
}

/** Reads each chunk when the previous one has been consumed. Holds no connection in between. */
async function* chunksFrom(runner: Runner, name: ArtifactName, first: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let number = 1, chunk: Uint8Array | null = first; chunk !== null; number++) {
    yield chunk;
    if (chunk.byteLength < CHUNK_BYTES) return;
    chunk = await runner.read(getChunk, { ...name, number });
  }
}
