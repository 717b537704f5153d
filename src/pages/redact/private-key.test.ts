import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFindings } from '../../../test/support/marked-text.ts';
import { findPrivateKeys } from './private-key.ts';

const body = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2)}\n`.repeat(3);

testFindings(findPrivateKeys, [
  `key:\n«-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----»\nafter`,
  `«-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${body}-----END RSA PRIVATE KEY-----»`,
  `«-----BEGIN OPENSSH PRIVATE KEY-----\n${body}-----END OPENSSH PRIVATE KEY-----»`,
  `«-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG\n\n${body}-----END PGP PRIVATE KEY BLOCK-----»`,
  `"key": "«-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEEIIGlRHj\\n-----END EC PRIVATE KEY-----»\\n"`,
  `> «-----BEGIN PRIVATE KEY-----\n> MIIEvQIBADANBgkq\n> -----END PRIVATE KEY-----»`,
  // Cut off: as much as is certain.
  `«-----BEGIN PRIVATE KEY-----\n${body.trimEnd()}»`,
  `«-----BEGIN PRIVATE KEY-----» is how it begins`,
  `«-----BEGIN PRIVATE KEY-----» «-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----»`,

  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq\n-----END PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIBIjANBgkq\n-----END CERTIFICATE-----',
  'the PRIVATE KEY ----- BEGIN -----END PRIVATE KEY-----',
]);

test('does not reach over to the end of a far-away key', () => {
  const text = `-----BEGIN PRIVATE KEY-----${' word'.repeat(10_000)}-----END PRIVATE KEY-----`;
  assert.deepEqual(Array.from(findPrivateKeys(text)), [{ start: 0, end: 27 }]);
});
