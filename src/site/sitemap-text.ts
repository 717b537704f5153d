import { createGunzip } from 'node:zlib';
import type { FetchedPage } from '../fetch/types.ts';

/** Half a millisecond of parsing: others run in between. */
const PIECE_BYTES = 64 * 1024;

/** The end of the text is missing. */
export class CutOff extends Error {}

/**
 * The text of a sitemap in pieces: decompressed when its bytes are gzip, whatever its name and type say, and decoded.
 * @param maxBytes of the decompressed text
 * @throws CutOff after the last piece, when more would follow
 */
export async function* sitemapText(
  { body, isText, incomplete }: FetchedPage,
  maxBytes: number,
): AsyncGenerator<string> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b;
  // The body of a text is already in UTF-8, whatever it declares.
  let decoder = isText ? new TextDecoder() : undefined;
  let left = maxBytes;
  for await (const piece of isPacked ? unpacked(body) : pieces(body)) {
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece.subarray(0, left), { stream: true });
    left -= piece.length;
    if (left < 0) throw new CutOff(`it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`);
  }
  if (incomplete) throw new CutOff('the connection closed before it was complete');
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Decompresses only as fast as the pieces are read, so that a bomb takes no memory. */
async function* unpacked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  gunzip.end(bytes);
  try {
    for await (const piece of gunzip) yield piece;
  } catch (error) {
    throw new CutOff('its gzip data is damaged', { cause: error });
  }
}

/** By byte order mark or XML declaration; otherwise UTF-8, as the protocol requires. */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const label = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
