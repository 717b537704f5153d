import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import { TrawlError } from '../../errors.ts';
import { FairRoom } from '../../fair-room.ts';
import { isBinary } from './magic-number.ts';

export interface Coded {
  body: Buffer;
  /** The body ended before its end. */
  cutShort: boolean;
}

export interface DecodeOptions {
  /** Largest body, unpacked. */
  maxBytes: number;
  /** Whose body it is: shares unpack in turn. */
  share: string;
  signal: AbortSignal;
}

/** Servers use one, sometimes two. */
const MAX_CODINGS = 5;
/** Up to this size any ratio will do: a page of one repeated line shrinks a thousandfold. */
const FREE_BYTES = 16 * 1024 * 1024;
/** Beyond it. Of 1,497 pages the most was 17 with gzip and 34 with brotli; gzip can reach 1,032 and brotli far more. */
const MAX_RATIO = 200;
/** With pieces of 64 KB a page of 100 KB takes 0.27 ms, with the default of 16 KB 0.40 ms. */
const chunkSize = 64 * 1024;
/** RFC 9659 section 3: 8 MB is the largest window that a decoder has to hold. */
const ZSTD_WINDOW_LOG = 23;

const gunzip = promisify(zlib.gunzip);
const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const brotliDecompress = promisify(zlib.brotliDecompress);
const zstdDecompress = promisify(zlib.zstdDecompress);

/** What is being unpacked at the same time in this process, as large as it may become. */
const unpacking = new FairRoom(256 * 1024 * 1024);

/** `flush` hands out what there is when the data ends early, where the strict way fails. */
type Decoder = (data: Buffer, maxOutputLength: number, flush: boolean) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: (data, maxOutputLength, flush) => gunzip(data, { maxOutputLength, chunkSize, ...zlibFlush(flush) }),
  deflate: (data, maxOutputLength, flush) =>
    // RFC 9110 section 8.4.1.2 means the zlib format; many servers send bare deflate data.
    (isZlib(data) ? inflate : inflateRaw)(data, { maxOutputLength, chunkSize, ...zlibFlush(flush) }),
  br: (data, maxOutputLength, flush) =>
    brotliDecompress(data, {
      maxOutputLength,
      chunkSize,
      ...(flush && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    }),
  zstd: (data, maxOutputLength, flush) =>
    zstdDecompress(data, {
      maxOutputLength,
      chunkSize,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      ...(flush && { finishFlush: constants.ZSTD_e_flush }),
    }),
};

/**
 * Takes the content codings off a body (RFC 9110 section 8.4), the last applied first. Decoding runs on a thread
 * of its own; output is limited in size and in ratio before it is made. As in browsers, codings that are not
 * known are passed over, a body that is not coded at all stays as it is, and of data that ends too early the
 * readable part is kept. Packed data that is whole is whole, even if the connection broke after it.
 *
 * @param contentEncoding the header
 * @param maxBytes largest size at any step
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE, or SCRAPE_BAD_RESPONSE for data that cannot be decoded
 */
export async function decodeContent(coded: Coded, contentEncoding: string, options: DecodeOptions): Promise<Coded> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim().replace(/^x-/, ''))
    .filter((coding) => Object.hasOwn(DECODERS, coding));
  if (codings.length > MAX_CODINGS) {
    throw new TrawlError('SCRAPE_BAD_RESPONSE', `The answer is compressed ${codings.length} times over.`);
  }
  let decoded = coded;
  for (const coding of codings.reverse()) decoded = await decodeOne(decoded, coding, options);
  return decoded;
}

async function decodeOne(coded: Coded, coding: string, { maxBytes, share, signal }: DecodeOptions): Promise<Coded> {
  const data = coded.body;
  const decoder = DECODERS[coding];
  if (decoder === undefined || data.length === 0) return coded;
  const limit = Math.min(maxBytes, Math.max(FREE_BYTES, data.length * MAX_RATIO));
  // The wait is short: to unpack 50 MB takes 0.1 s.
  using _room = await unpacking.enter(share, limit, signal);
  try {
    return { body: await decoder(data, limit, false), cutShort: false };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(data, limit, maxBytes);
    if (coding === 'gzip') {
      const body = await gunzipFirstMember(data, limit).catch(() => undefined);
      if (body !== undefined) return { body, cutShort: false };
    }
    if (code === 'Z_BUF_ERROR') {
      const body = await decoder(data, limit, true);
      if (body.length > 0) return { body, cutShort: true };
    }
    // Labelled as compressed, but sent as it is.
    if (!isBinary(data)) return coded;
    throw new TrawlError('SCRAPE_BAD_RESPONSE', `The answer cannot be unpacked: its ${coding} data is damaged.`, {
      cause: error,
    });
  }
}

/**
 * For gzip data with something else after it, which zlib takes for a damaged second member and browsers ignore:
 * the first member without its header (RFC 1952 section 2.3) is deflate data, and what follows that is not read.
 */
async function gunzipFirstMember(data: Buffer, maxOutputLength: number): Promise<Buffer | undefined> {
  if (data.readUInt16BE(0) !== 0x1f8b) return undefined;
  const flags = data[3] ?? 0;
  let start = 10;
  if (flags & 4) start += 2 + data.readUInt16LE(start);
  if (flags & 8) start = data.indexOf(0, start) + 1;
  if (flags & 16) start = data.indexOf(0, start) + 1;
  if (flags & 2) start += 2;
  return inflateRaw(data.subarray(start), { maxOutputLength, chunkSize });
}

/** RFC 1950 section 2.2: method 8, and a header that is a multiple of 31. */
function isZlib(data: Buffer): boolean {
  return data.length >= 2 && ((data[0] ?? 0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0;
}

function zlibFlush(flush: boolean): zlib.ZlibOptions {
  return flush ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function tooLarge(data: Buffer, limit: number, maxBytes: number): TrawlError {
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    limit < maxBytes
      ? `The answer of ${data.length} bytes unpacks to more than ${MAX_RATIO} times its size, as decompression bombs do.`
      : `The answer unpacks to more than ${Math.floor(maxBytes / 1048576)} MB. The operator can raise TRAWL_MAX_PAGE_MB.`,
  );
}
