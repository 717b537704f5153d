import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAuthorization, type SignedRequest, sha256, signatureOf } from './aws-signature.ts';

const EMPTY = sha256('');

/** Examples that AWS has published with their signatures. */
const EXAMPLES: readonly { name: string; secretKey: string; authorization: string; request: SignedRequest }[] = [
  {
    name: 'get-vanilla of the test suite',
    secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    request: {
      method: 'GET',
      target: '/',
      headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' },
      payloadHash: EMPTY,
    },
  },
  {
    name: 'GET Object of the manual of S3',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    request: {
      method: 'GET',
      target: '/test.txt',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': EMPTY,
        'x-amz-date': '20130524T000000Z',
      },
      payloadHash: EMPTY,
    },
  },
];

describe('the signatures that the test S3 server requires', () => {
  for (const { name, secretKey, authorization, request } of EXAMPLES) {
    test(`match AWS: ${name}`, () => {
      const said = readAuthorization(authorization) ?? assert.fail();
      assert.equal(signatureOf(request, said, secretKey), said.signature);
      assert.notEqual(signatureOf({ ...request, method: 'PUT' }, said, secretKey), said.signature);
    });
  }
});
