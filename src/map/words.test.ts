import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressWords, wordsOf } from './words.ts';

describe('the words of a text', () => {
  for (const [text, words] of [
    ['The old Harbour', ['the', 'old', 'harbour']],
    ['Prices & boats, glass: 2024', ['price', 'boat', 'glass', '2024']],
    ['Über Straße ÉTÉ smørrebrød', ['uber', 'strasse', 'ete', 'smorrebrod']],
    ['it’s, its', ['it', 's', 'its']],
    ['東京 guide', ['東', '京', 'guide']],
    ['Москва 한국어', ['москва', '한국어']],
    ['', []],
    ['—!', []],
  ] as const) {
    test(`"${text}"`, () => assert.deepEqual(wordsOf(text), words));
  }
});

describe('the words of an address', () => {
  for (const [address, words] of [
    [
      'https://www.site.example/blog/my-first_post.html?id=5&sortBy=price',
      ['site', 'example', 'blog', 'my', 'first', 'post', 'html', 'id', '5', 'sort', 'by', 'price'],
    ],
    ['https://docs.site.example/getStarted/APIKeys', ['doc', 'site', 'example', 'get', 'started', 'apikey']],
    ['https://site.example/%C3%BCber-uns', ['site', 'example', 'uber', 'uns']],
    ['https://site.example/%zz', ['site', 'example', 'zz']],
  ] as const) {
    test(address, () => assert.deepEqual(addressWords(address), words));
  }
});
