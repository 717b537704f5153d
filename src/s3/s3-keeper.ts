import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { newId } from '../clock.ts';
import { type ByteAnswer, type ByteRequest, type ByteService, byteService } from '../fetch/operator-bytes.ts';
import type { ByteKeeper } from '../store/artifacts/byte-keeper.ts';
import type { ArtifactName } from '../store/operations/artifacts.ts';
import { BytesAway } from '../store/store-away.ts';

/** An S3-compatible store: Amazon S3, MinIO, Ceph, Garage, Cloudflare R2. */
export interface S3Settings {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** Attempts at a request that fails for a temporary reason. All requests are idempotent. */
const TRIES = 3;
const PAUSE_MS = 200;
/** Characters of an error response that are read. The reason is at its beginning. */
const MAX_ERROR_LENGTH = 2_000;

/** What a request may be given. */
interface Given {
  bytes?: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** Stores bytes in a bucket, as objects under `artifacts/`. */
export class S3Keeper implements ByteKeeper {
  readonly isOutside = true;
  readonly #settings: S3Settings;
  readonly #service: ByteService;
  /** Signing keys, which change daily. */
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#service = byteService(settings.endpoint);
  }

  async put(name: ArtifactName, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#send('PUT', keyOf(name), { bytes, signal });
  }

  async get(name: ArtifactName, signal?: AbortSignal): Promise<Readable | null> {
    const { status, body } = await this.#request('GET', keyOf(name), { signal });
    if (status === 200) return body;
    const reason = await reasonOf(body);
    if (isGone(status, reason)) return null;
    throw this.#refused(status, reason);
  }

  async remove(name: ArtifactName): Promise<void> {
    await this.#send('DELETE', keyOf(name));
  }

  /** Writes, reads and deletes a small object. Throws BytesAway, with what to change. */
  async check(): Promise<void> {
    const name = { teamId: 'check', id: newId() };
    const bytes = Buffer.from('Trawl was here.');
    await this.put(name, bytes);
    const found = await this.get(name);
    await this.remove(name);
    if (found !== null && (await buffer(found)).equals(bytes)) return;
    throw new BytesAway(
      `${this.#place} returned different bytes from those written. TRAWL_S3_ENDPOINT must be the address of an S3 API.`,
    );
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  /** Sends a request whose response matters only if it is an error. */
  async #send(method: 'PUT' | 'DELETE', key: string, given: Given = {}): Promise<void> {
    const { status, body } = await this.#request(method, key, given);
    const reason = await reasonOf(body).catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
    if ((status < 200 || status > 299) && !isGone(status, reason)) throw this.#refused(status, reason);
  }

  async #request(method: ByteRequest['method'], key: string, { bytes, signal }: Given = {}): Promise<ByteAnswer> {
    for (let attempt = 1; ; attempt++) {
      if (attempt > 1) await sleep(PAUSE_MS * attempt);
      try {
        const answer = await this.#service.send({ ...(await this.#sign(method, key, bytes)), signal });
        if (answer.status < 500 || attempt === TRIES) return answer;
        await reasonOf(answer.body);
      } catch (cause) {
        if (attempt < TRIES && !signal?.aborted) continue;
        throw this.#unreachable(cause);
      }
    }
  }

  /** The signature covers the bytes, so a change on the way is refused. */
  async #sign(method: ByteRequest['method'], key: string, bytes: Uint8Array = new Uint8Array()): Promise<ByteRequest> {
    const { endpoint, bucket, region, accessKey, secretKey } = this.#settings;
    const signed = await new AwsV4Signer({
      ...{ method, region, service: 's3', cache: this.#cache },
      url: `${endpoint}/${bucket}/${key}`,
      headers: { 'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex') },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
    }).sign();
    const body = method === 'PUT' ? bytes : undefined;
    return { url: signed.url, method, headers: Object.fromEntries(signed.headers), body };
  }

  get #place(): string {
    return `The bucket ${this.#settings.bucket} at ${new URL(this.#settings.endpoint).host}`;
  }

  #unreachable(cause: unknown): BytesAway {
    const reason = cause instanceof Error ? cause.message : cause;
    return new BytesAway(`${this.#place} cannot be reached: ${reason}. Check TRAWL_S3_ENDPOINT.`, { cause });
  }

  #refused(status: number, reason: string): BytesAway {
    const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Check the settings TRAWL_S3_….';
    return new BytesAway(`${this.#place} answered ${status} ${reason}. ${hint}`);
  }
}

/** By the error codes of S3. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^(InvalidAccessKeyId|SignatureDoesNotMatch)/, 'Check TRAWL_S3_ACCESS_KEY and TRAWL_S3_SECRET_KEY.'],
  [
    /^AccessDenied/,
    'The key needs permission to write, read and delete objects: s3:PutObject, s3:GetObject, s3:DeleteObject.',
  ],
  [/^NoSuchBucket/, 'Create the bucket first, or check TRAWL_S3_BUCKET.'],
  [
    /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect)/,
    'Check TRAWL_S3_REGION and TRAWL_S3_ENDPOINT.',
  ],
  [/^RequestTimeTooSkewed/, 'The clock of this machine is wrong.'],
];

function keyOf({ teamId, id }: ArtifactName): string {
  return `artifacts/${teamId}/${id}`;
}

/** A missing bucket is a 404 too. */
function isGone(status: number, reason: string): boolean {
  return status === 404 && reason.startsWith('NoSuchKey');
}

/** The code and message of an error. The rest of the body is not received. */
async function reasonOf(body: Readable): Promise<string> {
  let received = '';
  for await (const text of body.setEncoding('utf8')) {
    received += text;
    if (received.length > MAX_ERROR_LENGTH) break;
  }
  const element = (name: string) => new RegExp(`<${name}>([^<]{1,300})`).exec(received)?.[1];
  const code = element('Code') ?? 'without an S3 error code';
  const message = element('Message');
  return message === undefined ? code : `${code} (${message})`;
}
