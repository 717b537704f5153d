import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { KEY_BYTES, openBytes, openText, sealBytes, sealText } from './cipher.ts';
import { JOB_KEY_BYTES, JobSeal } from './job-seal.ts';
import { generateSecret, ServiceSecret } from './service-secret.ts';

const mismatch = { code: 'SECRET_MISMATCH', message: /another TRAWL_SECRET/ };
const newKey = () => createSecretKey(randomBytes(KEY_BYTES));

describe('sealed text', () => {
  const key = newKey();

  for (const text of ['', 'https://example.com/a?b=c', 'Grüße 😀', 'x'.repeat(100_000)]) {
    test(`can be opened with its key: ${text.slice(0, 30)}`, () => {
      const sealed = sealText(key, 'address', text);
      assert.equal(openText(key, 'address', sealed), text);
      assert.ok(text === '' || !sealed.includes(text));
      assert.notEqual(sealText(key, 'address', text), sealed, 'each nonce is different');
    });
  }

  test('cannot be opened with another key, for another purpose, or after a bit has changed', () => {
    const sealed = sealBytes(key, 'address', Buffer.from('https://example.com/'));
    assert.throws(() => openBytes(newKey(), 'address', sealed), mismatch);
    assert.throws(() => openBytes(key, 'error', sealed), mismatch);
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => openBytes(key, 'address', changed), mismatch, `byte ${index}`);
    }
    for (const length of [0, 1, 28, sealed.length - 1]) {
      assert.throws(() => openBytes(key, 'address', sealed.subarray(0, length)), mismatch, `${length} bytes`);
    }
  });

  test('is distinguished from text that is not sealed', () => {
    assert.equal(openText(key, 'address', 'https://example.com/'), 'https://example.com/');
    assert.throws(() => openText(key, 'address', 'sealed:AQ'), mismatch);
  });
});

describe('the secret of the service', () => {
  const secret = new ServiceSecret('a'.repeat(32));

  test('wraps the key of a job for this job only', () => {
    const key = randomBytes(JOB_KEY_BYTES);
    const wrapped = secret.wrap('one', key);
    assert.deepEqual(new ServiceSecret('a'.repeat(32)).unwrap('one', wrapped), key);
    assert.throws(() => secret.unwrap('other', wrapped), mismatch);
    assert.throws(() => new ServiceSecret('b'.repeat(32)).unwrap('one', wrapped), mismatch);
  });

  test('makes equal lookups for equal values only', () => {
    const lookup = secret.lookup('host', 'example.com');
    assert.equal(lookup, new ServiceSecret('a'.repeat(32)).lookup('host', 'example.com'));
    const others = [
      secret.lookup('host', 'example.org'),
      secret.lookup('client', 'example.com'),
      new ServiceSecret('b'.repeat(32)).lookup('host', 'example.com'),
    ];
    assert.equal(new Set([lookup, ...others]).size, 4);
  });

  test('is different each time it is generated', () => {
    assert.notEqual(generateSecret(), generateSecret());
    assert.match(generateSecret(), /^[0-9a-f]{64}$/);
  });
});

test('lookups of two jobs have nothing in common', () => {
  const [one, other] = [0, 1].map(() => new JobSeal(randomBytes(JOB_KEY_BYTES), { hidesTasks: true }));
  assert.equal(one?.lookup('/a'), one?.lookup('/a'));
  assert.notEqual(one?.lookup('/a'), other?.lookup('/a'));
});
