import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RE2JS, RE2JSException } from 're2js';
import { Random } from '../../test/support/random.ts';
import { patternWork } from './pattern-work.ts';

/** Pieces of regular expressions; put together, a third of the results are valid. */
const PIECES = (
  'a b k . ^ $ \\d \\w \\b \\pL \\P{Lu} \\x41 \\x{41} \\x{1e942} \\Qa*b\\E \\Q{5} [a-z] [^/] []a] [^]a-\\x{ff}] [[:alpha:]-z] ' +
  '[\\d-x] [\\pL\\-] [b-\\x{1e942}] [a-\uffff] ( ) ( ) (?: ) (?i) (?i: (?s) (?P<n> (?<m> | | * + ? *? {2} {0} {2,5} {3,} {,4} ' +
  '{10} {0,9} { } ] - \\- \\{ 日 / / (?:a|b)* \\] [^[:^digit:]] \\A \\z \\pN{3} (a?){7} ()| (|a)* (?i:k){4} ((a{10}){9}){8}'
).split(' ');

describe('the work of a pattern', () => {
  test('is at least the number of instructions it compiles to', () => {
    const random = new Random(1);
    let compiled = 0;
    for (let n = 0; n < 4_000; n++) {
      const pattern = Array.from({ length: 1 + random.below(12) }, () => PIECES[random.below(PIECES.length)]).join('');
      const work = patternWork(pattern);
      if (work > 5_000) continue;
      const size = sizeOf(pattern);
      if (size === undefined) continue;
      compiled += 1;
      assert.ok(size <= work, `${pattern} has ${size} instructions, and its work is ${work}`);
    }
    assert.ok(compiled > 1_000, `${compiled} patterns were valid`);
  });

  for (const [pattern, min, max] of [
    ['^/blog/.*$', 20, 30],
    ['^/products/[^/]+/reviews(/|$)', 40, 70],
    ['(?i)\\.(pdf|docx?|zip)$', 30, 60],
    ['/\\d{4}/\\d{2}/\\d{2}/', 30, 50],
    ['^/[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{12}$', 60, 120],
    ['(?:(?:a{10}){10}){10}', 1_000, 1_100],
    ['x{0,900}', 1_800, 1_900],
    ['\\pL', 20, 40],
    ['(?i)\\pL', 200, 250],
    ['(?i)[b-\\x{1e942}]', 1_000, 1_100],
    ['[b-\\x{1e942}]', 1, 30],
  ] as const) {
    test(`is between ${min} and ${max} for ${pattern}`, () => {
      const work = patternWork(pattern);
      assert.ok(work >= min && work <= max, `${work}`);
    });
  }

  test('is computed in one pass, whatever the text', () => {
    for (const text of ['(', '[', '\\', '{1', '[[:', '\\p{', '(?', '(?P<', '\\Q', '[^-', 'a{9}']) {
      assert.ok(patternWork(text.repeat(100_000)) > 100_000, text);
    }
  });
});

function sizeOf(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return undefined;
  }
}
