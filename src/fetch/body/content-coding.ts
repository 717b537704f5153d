import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import { TrawlError } from '../../errors.ts';
import { FairSemaphore } from '../../fair-semaphore.ts';
import { isBinary } from './magic-number.ts';

export interface Coded {
  body: Buffer;
  /** The connection ended before the body did. */
  cutShort: boolean;
}

export interface DecodeOptions {
  /** Largest body, decompressed. */
  maxBytes: number;
  /** The share of the body: shares decompress in turn. */
  share: string;
  signal: AbortSignal;
}

/** Servers use one coding, sometimes two. */
const MAX_CODINGS = 5;
/** Up to this size any ratio is allowed: a page of one repeated line shrinks a thousandfold. */
const FREE_BYTES = 16 * 1024 * 1024;
/**
 * The limit on the ratio beyond that. Of 1,497 pages the maximum was 17 with gzip and 34 with brotli; gzip can reach
 * 1,032 and brotli far more.
 */
const MAX_RATIO = 200;
/** With pieces of 64 KB a page of 100 KB takes 0.27 ms, with the default of 16 KB 0.40 ms. */
const chunkSize = 64 * 1024;
/** RFC 9659 section 3: a decoder has to support windows of up to 8 MB. */
const ZSTD_WINDOW_LOG = 23;

const gunzip = promisify(zlib.gunzip);
const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const brotliDecompress = promisify(zlib.brotliDecompress);
const zstdDecompress = promisify(zlib.zstdDecompress);

/** The bodies being decompressed in this process, by their largest possible size. */
const unpacking = new FairSemaphore(256 * 1024 * 1024);

/** `flush` returns what there is when the data ends early, where the strict mode fails. */
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
 * Removes the content codings of a body (RFC 9110 section 8.4), the last applied first. Decoding runs on a thread of
 * its own; the size and the ratio of the output are limited before it is made. As in browsers, unknown codings are
 * skipped, an uncoded body stays as it is, and truncated data is decoded as far as it goes. Compressed data that is
 * complete counts as complete, even if the connection broke after it.
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
    throw new TrawlError('SCRAPE_BAD_RESPONSE', `The response is compressed ${codings.length} times over.`);
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
  // The wait is short: decompressing 50 MB takes 0.1 s.
  using _permit = await unpacking.acquire(share, limit, signal);
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
    // Labelled as compressed, but sent uncompressed.
    if (!isBinary(data)) return coded;
    throw new TrawlError('SCRAPE_BAD_RESPONSE', `The response cannot be decompressed: its ${coding} data is damaged.`, {
      cause: error,
    });
  }
}

/**
 * For gzip data followed by something else, which zlib treats as a damaged second member and browsers ignore: the first
 * member without its header (RFC 1952 section 2.3) is deflate data, and the rest is not read.
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
      ? `The response of ${data.length} bytes decompresses to more than ${MAX_RATIO} times its size, like a decompression bomb.`
      : `The response decompresses to more than ${Math.floor(maxBytes / 1048576)} MB. The operator can raise TRAWL_MAX_PAGE_MB.`,
  );
}
