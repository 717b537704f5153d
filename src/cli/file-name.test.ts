import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FileNames } from './file-name.ts';

describe('the name of a file', () => {
  for (const [address, name] of [
    ['https://example.com/', 'example.com.md'],
    ['https://example.com/docs/', 'example.com_docs.md'],
    ['https://example.com/docs/guide.html', 'example.com_docs_guide.md'],
    ['https://example.com/readme.md', 'example.com_readme.md'],
    ['https://example.com:8080/a', 'example.com-8080_a.md'],
    ['https://example.com/list.php?page=2&sort=up', 'example.com_list-page-2-sort-up.md'],
    ['https://example.com/caf%C3%A9/%E6%97%A5%E6%9C%AC', 'example.com_café_日本.md'],
    ['https://example.com/100%/..%2F..%2Fetc%2Fpasswd', 'example.com_100-_..-2F..-2Fetc-2Fpasswd.md'],
    ['https://example.com/a%00b%0Ac%3Ad%7Ce', 'example.com_a-b-c-d-e.md'],
    ['https://example.com/..%2F..%2Fetc', 'example.com_.._.._etc.md'],
    ['http://aux.example.com/', '_aux.example.com.md'],
  ] as const) {
    test(`of ${address} is ${name}`, () => assert.equal(new FileNames().add(address, 'md'), name));
  }

  test('is unique, even on file systems that ignore case', () => {
    const names = new FileNames();
    const made = [
      'https://example.com/a/b',
      'https://example.com/a_b',
      'https://example.com/A/B',
      'http://example.com/a/b',
      'https://example.com/a/b',
      'https://example.com/a/b',
    ].map((address) => names.add(address, 'md'));
    assert.equal(new Set(made.map((name) => name.toLowerCase())).size, 6, made.join());
    assert.equal(made[0], 'example.com_a_b.md');
    for (const name of made.slice(1)) assert.match(name, /^example\.com_[aA]_[bB]-[0-9a-f]{8}(-\d)?\.md$/);
  });

  test('fits every file system, however long the address is, and splits no character', () => {
    const names = new FileNames();
    for (const letter of ['a', 'é', '日', '𝒳']) {
      const name = names.add(`https://example.com/${letter.repeat(2000)}`, 'md');
      assert.ok(Buffer.byteLength(name) <= 143, name);
      assert.doesNotMatch(name, /\uFFFD/);
    }
  });

  test('has no character with a meaning in a file system, for any address', () => {
    for (let code = 0; code < 0x3000; code++) {
      const url = new URL('https://example.com/');
      url.pathname = `/x${String.fromCharCode(code)}y`;
      const name = new FileNames().add(url.href, 'md');
      assert.doesNotMatch(name, /[\p{Cc}/\\:*?"<>|]|^[-.]|[. ]$/u, JSON.stringify(name));
    }
  });
});
