import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '../../src/s3/s3-keeper.ts';
import { readAuthorization, sha256, signatureOf } from './aws-signature.ts';
import { portOf } from './site.ts';

/** See the S3 documentation. */
const MOST_SKEW_MS = 15 * 60_000;

export interface S3 extends AsyncDisposable {
  settings: S3Settings;
  /** The settings of a service that uses it. */
  environment: Record<string, string>;
  /** The contents of the bucket, by key. */
  objects: Map<string, Buffer>;
  /** Answers to give instead, one per request. */
  failures: { status: number; code: string }[];
  /** Takes requests and never answers them. */
  isSilent: boolean;
}

/**
 * A bucket of an S3-compatible store, as far as the service uses one: PUT, GET and DELETE of objects by path. It checks
 * each signature and body hash, and answers with the errors of S3.
 */
export async function startS3(): Promise<S3> {
  const objects = new Map<string, Buffer>();
  const failures: S3['failures'] = [];
  const settings: S3Settings = {
    ...{ endpoint: '', bucket: 'trawl-files', region: 'eu-test-1' },
    ...{ accessKey: 'AKIATEST', secretKey: 'secret/of+the=tests' },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (s3.isSilent) return;
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No: ${code}</Message></Error>`);
    };
    const failure = failures.shift();
    if (failure !== undefined) return refuse(failure.status, failure.code);
    const problem = problemWith(request, body, settings);
    if (problem !== undefined) return refuse(403, problem);
    const [, bucket, ...rest] = (request.url ?? '').split('/');
    const key = rest.join('/');
    if (bucket !== settings.bucket) return refuse(404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      objects.set(key, body);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const found = objects.get(key);
    return found === undefined ? refuse(404, 'NoSuchKey') : response.writeHead(200).end(found);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  settings.endpoint = `http://127.0.0.1:${portOf(server)}`;
  const s3: S3 = {
    settings,
    objects,
    failures,
    isSilent: false,
    environment: {
      TRAWL_S3_ENDPOINT: settings.endpoint,
      TRAWL_S3_BUCKET: settings.bucket,
      TRAWL_S3_REGION: settings.region,
      TRAWL_S3_ACCESS_KEY: settings.accessKey,
      TRAWL_S3_SECRET_KEY: settings.secretKey,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return s3;
}

/** The error code for an invalid signature; undefined when the signature is valid. */
function problemWith({ method = '', url: target = '', headers }: IncomingMessage, body: Buffer, settings: S3Settings) {
  const said = readAuthorization(headers.authorization);
  if (said === undefined) return 'AccessDenied';
  const { key, date, region, service, names, signature } = said;
  if (key !== settings.accessKey) return 'InvalidAccessKeyId';
  if (region !== settings.region || service !== 's3') return 'AuthorizationHeaderMalformed';
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < MOST_SKEW_MS) || !time.startsWith(date)) return 'RequestTimeTooSkewed';
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256']) if (!names.includes(name)) return 'AccessDenied';
  const payloadHash = String(headers['x-amz-content-sha256']);
  if (payloadHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const right = signatureOf({ method, target, headers, payloadHash }, said, settings.secretKey);
  return signature === right ? undefined : 'SignatureDoesNotMatch';
}
