import { createHash, createHmac } from 'node:crypto';

/** A request as received, with the inputs of its AWS signature (Signature Version 4). */
export interface SignedRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  headers: Record<string, string | string[] | undefined>;
  /** SHA-256 of the body, in hexadecimal, as it is signed. */
  payloadHash: string;
}

/** The parsed `Authorization` header; undefined when it is not an AWS signature. */
export function readAuthorization(header = '') {
  const [, key, date, region, service, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (key === undefined || date === undefined || region === undefined) return undefined;
  if (service === undefined || names === undefined || signature === undefined) return undefined;
  return { key, date, region, service, names: names.split(';'), signature };
}

/**
 * The expected signature of a request: canonical request, string to sign and signing key, as in the AWS documentation.
 */
export function signatureOf(
  { method, target, headers, payloadHash }: SignedRequest,
  { date, region, service, names }: { date: string; region: string; service: string; names: readonly string[] },
  secretKey: string,
): string {
  const [path = '/', query = ''] = target.split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${[headers[name]].flat().join(',').trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  return hmac(key, toSign).toString('hex');
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
