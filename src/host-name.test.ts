import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badHostName } from './host-name.ts';

const label = 'a'.repeat(63);
/** 253 characters. */
const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;

test('accepts every valid host name, and addresses', () => {
  for (const name of [
    'localhost',
    'example.com',
    'example.com.',
    'xn--bcher-kva.example',
    '127.0.0.1',
    '[::1]',
    longest,
  ]) {
    assert.equal(badHostName(name), undefined, name);
  }
  assert.equal(badHostName(`${longest}.`), undefined);
});

test('refuses a name over 253 characters and a part over 63, and names the one that is too long', () => {
  assert.match(badHostName(`a.${longest}`) ?? '', /^The host name "a\.a{48}…" has 255 characters; the limit is 253\.$/);
  assert.match(
    badHostName(`www.${label}a.com`) ?? '',
    /^The part "a{50}…" of the host name has 64 characters; the limit is 63\.$/,
  );
  // As a resolver sees it: with the prefix of internationalised names.
  assert.notEqual(badHostName(new URL(`http://${'ü'.repeat(60)}.example`).hostname), undefined);
});
