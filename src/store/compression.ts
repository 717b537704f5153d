import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

const onThreadPool = { compress: promisify(zstdCompress), decompress: promisify(zstdDecompress) };

/**
 * Up to this size the work is done synchronously: it takes at most 0.1 ms, which a round trip to the thread pool would
 * cost the event loop too, and half of the CPU. A page of 220 KB would take 0.4 ms and goes to the pool.
 */
const HERE = 64 * 1024;

/** Level 3 makes pages of 200 KB 6 % smaller for half as much work again (5.2 times smaller than the page, not 4.9). */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };
/** With zlib's default of 16 KB, a page needs several round trips to the thread pool, and twice the time. */
const CHUNK = 64 * 1024;
/** Incompressible data grows by a frame: less than this, up to the size of a chunk. */
const FRAME = 512;

/** Compressed bytes, and their original size. */
export interface Compressed {
  bytes: Uint8Array;
  size: number;
}

/** Compresses with zstd (RFC 8878). The bytes fill a buffer of their own. */
export async function compress(body: string | Uint8Array): Promise<Compressed> {
  const source = typeof body === 'string' ? Buffer.from(body) : body;
  const size = source.byteLength;
  return size <= HERE ? compressHere(source) : ofItsOwn(await onThreadPool.compress(source, optionsFor(size)), size);
}

/** The same, synchronously, whatever the size. */
export function compressHere(body: string | Uint8Array): Compressed {
  const source = typeof body === 'string' ? Buffer.from(body) : body;
  return ofItsOwn(zstdCompressSync(source, optionsFor(source.byteLength)), source.byteLength);
}

function optionsFor(size: number) {
  return { params: PARAMS, chunkSize: Math.min(size + FRAME, CHUNK), pledgedSrcSize: size };
}

/** zlib returns a part of a larger buffer, and all of it would be sent to another thread. */
function ofItsOwn(bytes: Uint8Array, size: number): Compressed {
  return { bytes: bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes), size };
}

/** Decompresses. Never returns more than `size`: manipulated data is an error and does not exhaust memory. */
export async function decompress({ bytes, size }: Compressed): Promise<Uint8Array> {
  // One byte more than expected, because otherwise zlib makes a second chunk to find out that nothing follows.
  const options = { chunkSize: Math.max(64, size + 1), maxOutputLength: Math.max(1, size) };
  const body = size <= HERE ? zstdDecompressSync(bytes, options) : await onThreadPool.decompress(bytes, options);
  if (body.byteLength !== size) throw new Error(`A stored body has ${body.byteLength} bytes instead of ${size}.`);
  return body;
}
