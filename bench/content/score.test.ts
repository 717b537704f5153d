import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scoreMarkdown } from './score.ts';

const page = (content: string, kept: string[] = [], leftOut: string[] = []) => ({
  content,
  with: kept,
  without: leftOut,
});

describe('the score of Markdown against a label', () => {
  const cases = [
    { name: 'all words, in any order and case', markdown: 'Two ONE', content: 'one two', expected: [1, 1, 1] },
    { name: 'half of the words', markdown: 'one', content: 'one two', expected: [2 / 3, 1, 0.5] },
    { name: 'twice the words', markdown: 'one two three four', content: 'one two', expected: [2 / 3, 0.5, 1] },
    { name: 'a word said more often than the label', markdown: 'one one', content: 'one', expected: [2 / 3, 0.5, 1] },
    { name: 'a word said less often than the label', markdown: 'one', content: 'one one', expected: [2 / 3, 1, 0.5] },
    { name: 'no word in common', markdown: 'three', content: 'one two', expected: [0, 0, 0] },
    { name: 'nothing found', markdown: '', content: 'one two', expected: [0, 0, 0] },
    { name: 'nothing found where there is nothing', markdown: ' * * * ', content: '', expected: [1, 1, 1] },
    { name: 'something found where there is nothing', markdown: 'one', content: '', expected: [0, 0, 1] },
    {
      name: 'letters, marks and digits of any script',
      markdown: 'Größe 東京 42',
      content: 'größe 東京 42',
      expected: [1, 1, 1],
    },
  ];
  for (const { name, markdown, content, expected } of cases) {
    test(`counts ${name}`, () => {
      const { f1, precision, recall } = scoreMarkdown(markdown, page(content));
      assert.deepEqual([f1, precision, recall], expected);
    });
  }

  const words = [
    ['the address of a link', '[one](https://a.example/two "three")', 'one'],
    ['an address with parentheses', '[one](https://a.example/two_(three)) four', 'one four'],
    ['an address in angle brackets', '[one](<two three>)', 'one'],
    ['an image and its text', '![one](two.png) three', 'three'],
    ['a fence and its language', '```js\none\n```', 'one'],
    ['a comment', '<!-- one\ntwo --> three', 'three'],
    ['a tag', 'one<br class="two">three', 'one three'],
    ['an escape', 'snake\\_case', 'snake_case'],
  ] as const;
  for (const [name, markdown, content] of words) {
    test(`does not count ${name}`, () => {
      assert.equal(scoreMarkdown(markdown, page(content)).f1, 1);
    });
  }

  test('finds a snippet by whole words, whatever separates them', () => {
    const snippets = ['One two', 'two, three', 'ne two', 'three one', 'one three'];
    const { kept, leftOut } = scoreMarkdown('# one\n\n**two** [three](x) one', page('', snippets, snippets));
    assert.deepEqual({ kept, leftOut }, { kept: 3, leftOut: 2 });
  });
});
