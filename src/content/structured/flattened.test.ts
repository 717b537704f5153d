import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFlattened, unflatten } from './flattened.ts';

const HEAD = ['ShallowReactive', 1];

describe('a flattened payload', () => {
  const cases: [title: string, values: unknown[], expected: unknown][] = [
    [
      'has its objects and lists',
      [HEAD, { data: 2 }, { menu: 3 }, [4, 4, 6], { name: 5, price: 7 }, 'Soup', 'text', 4.5],
      { data: { menu: [{ name: 'Soup', price: 4.5 }, { name: 'Soup', price: 4.5 }, 'text'] } },
    ],
    [
      'has what stands in references, sets, maps and dates',
      [
        HEAD,
        [2, 3, 5, 7, 9],
        ['Ref', 4],
        ['Set', 4],
        'a',
        ['Map', 4, 6],
        true,
        ['Date', '2024-05-01'],
        null,
        ['null', 'k', 4],
      ],
      ['a', ['a'], { a: true }, '2024-05-01', { k: 'a' }],
    ],
    [
      'has nothing for what JSON does not have, or is not there',
      [HEAD, [-1, -3, 99, 'x', null]],
      [undefined, undefined, undefined, undefined, undefined],
    ],
    ['leaves out what contains itself', [HEAD, { self: 1, name: 2 }, 'a'], { self: undefined, name: 'a' }],
  ];
  for (const [title, values, expected] of cases) {
    it(title, () => {
      assert.ok(isFlattened(values));
      assert.deepEqual(unflatten(values), expected);
    });
  }

  it('is not any other list', () => {
    for (const value of [[{ a: 1 }], [['Reactive']], [], {}, 'text', null]) assert.ok(!isFlattened(value));
  });

  it('is bounded in breadth and depth', () => {
    const wide: unknown[] = [HEAD, Array(1_000).fill(2), Array(1_000).fill(3), Array(1_000).fill(4), 'x'];
    const deep: unknown[] = [HEAD, ...Array.from({ length: 100_000 }, (_, index) => [index + 2])];
    const started = performance.now();
    assert.ok(Array.isArray(unflatten(wide)));
    assert.ok(Array.isArray(unflatten(deep)));
    assert.ok(performance.now() - started < 2_000);
  });
});
