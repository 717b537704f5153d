import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AddressKeyOptions, addressKey, canonicalAddress } from './addresses.ts';

const EXACT: AddressKeyOptions = { ignoreQueryParameters: false, deduplicateSimilarURLs: false };
const SIMILAR: AddressKeyOptions = { ...EXACT, deduplicateSimilarURLs: true };
const NO_QUERY: AddressKeyOptions = { ...EXACT, ignoreQueryParameters: true };

const BASE = 'https://site.example/';
const isSame = (a: string, b: string, options: AddressKeyOptions) =>
  addressKey(new URL(a, BASE), options) === addressKey(new URL(b, BASE), options);

describe('addresses are the same', () => {
  for (const [a, b] of [
    ['/a', '/a#part'],
    ['/a', 'https://SITE.example:443/a'],
    ['/a', 'https://site.example./a'],
    ['/a', 'https://user:secret@site.example/a'],
    ['/a/c', '/a/b/../c'],
    ['/a', '/a?'],
    ['/%7euser/%c3%bc', '/~user/%C3%BC'],
    ['/a?q=%7e', '/a?q=~'],
    ['/ü', '/%C3%BC'],
    ['/a?x=1', '/a?utm_source=mail&x=1&UTM_Medium=x&gclid=1&fbclid=2'],
    ['/a', '/a?mc_cid=1&_ga=2.3&srsltid=x&utm_id'],
    ['/a?x=1', '/a?&x=1&'],
    ['/a?x=1', '/a?PHPSESSID=0a1b2c&x=1'],
    ['/a', '/a?sid=0123456789abcdef0123456789abcdef'],
    ['/a.jsp?x=1', '/a.jsp;jsessionid=0A1B2C3D.node1?x=1'],
    ['/a.aspx', '/(S(3ab0x1yzq5lmjm45qk3l2w55))/a.aspx'],
  ] as const) {
    test(`${a} and ${b}`, () => assert.ok(isSame(a, b, EXACT)));
  }

  for (const [a, b] of [
    ['https://site.example/', 'http://www.site.example'],
    ['/a', '/a/'],
    ['/a', '/a/index.html'],
    ['/', '/INDEX.PHP'],
    ['/a/', '/a/default.aspx'],
    ['/a/?x=1', '/a/index.htm?x=1'],
  ] as const) {
    test(`${a} and ${b}, with deduplication of similar addresses`, () => {
      assert.ok(isSame(a, b, SIMILAR));
      assert.ok(!isSame(a, b, EXACT));
    });
  }

  test('whatever their query, when queries are ignored', () => {
    assert.ok(isSame('/a?x=1', '/a?y=2', NO_QUERY));
    assert.ok(isSame('/a?x=1', '/a', NO_QUERY));
    assert.ok(!isSame('/a?x=1', '/b?x=1', NO_QUERY));
  });
});

describe('addresses are not the same', () => {
  for (const [a, b] of [
    ['/a', '/A'],
    ['/a', 'https://other.example/a'],
    ['/a', 'https://docs.site.example/a'],
    ['/a', 'https://site.example:8443/a'],
    ['/a/b', '/a%2Fb'],
    ['/a?x=1', '/a?x=2'],
    ['/a?x=1', '/a'],
    ['/a?x=1&y=2', '/a?y=2&x=1'],
    ['/a?sid=12', '/a?sid=13'],
    ['/a?s=boats', '/a?s=ships'],
    ['/a?session=keynote', '/a?session=opening'],
    ['/a?source=mail', '/a'],
    ['/a?ref=1', '/a'],
    ['/indexes.html', '/'],
    ['/my-index.html', '/'],
  ] as const) {
    test(`${a} and ${b}`, () => assert.ok(!isSame(a, b, SIMILAR)));
  }
});

describe('a key', () => {
  test('always has the same length', () => {
    for (const path of ['/', `/${'x'.repeat(8_000)}`]) {
      assert.match(addressKey(new URL(path, BASE), EXACT), /^[\w-]{22}$/);
    }
  });

  test('is derived from a readable address', () => {
    const url = new URL('http://www.Site.example/a/index.html?utm_source=x&b=%7e#c');
    assert.equal(canonicalAddress(url, EXACT), 'http://www.site.example/a/index.html?b=~');
    assert.equal(canonicalAddress(url, SIMILAR), '//site.example/a?b=~');
  });
});
