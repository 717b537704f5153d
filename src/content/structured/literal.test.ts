import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLiteral } from './literal.ts';

/** Through JSON, because parsed objects have no prototype. */
function plain(source: string, kind: 'script' | 'data'): unknown {
  const { value } = readLiteral(source, 0, kind);
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

describe('readLiteral', () => {
  const literals: [title: string, source: string, expected: unknown][] = [
    [
      'reads JSON',
      '{"a":[1,-2.5e3,"x\\u00e9\\n\\/"],"b":{"c":true,"d":null}}',
      { a: [1, -2500, 'xé\n/'], b: { c: true, d: null } },
    ],
    [
      'reads single quotes, back quotes and bare keys',
      "{a: 'x\\'y', $b: `z`, 3: \"q\"}",
      { a: "x'y", $b: 'z', 3: 'q' },
    ],
    ['reads trailing commas', '{"a":[1,2,],}', { a: [1, 2] }],
    ['reads comments', '// first\n{ /* a **/ "a": 1, // one\n "b": 2 }', { a: 1, b: 2 }],
    ['reads raw line breaks and tabs in strings', '{"a":"one\n\ttwo"}', { a: 'one\n\ttwo' }],
    ['reads escapes of JavaScript', "'\\x41\\u0042\\q\\\nC'", 'ABqC'],
    ['reads undefined and short booleans', '{a: undefined, b: !0, c: !1}', { a: null, b: true, c: false }],
    ['reads nothing from an empty source', ' ', undefined],
    ['reads nothing from an unclosed object', '{"a": {"b": 1}', undefined],
    ['reads nothing from a missing colon or comma', '{"a" 1}', undefined],
  ];
  for (const [title, source, expected] of literals) {
    it(title, () => {
      assert.deepEqual(plain(source, 'script'), expected);
      assert.deepEqual(plain(source, 'data'), expected);
    });
  }

  it('omits script expressions', () => {
    const source = `{a: page(), b: 'x' + y, c: [1, f({x: [")"]}), 3], d: function () { return "}"; }, e: \`\${z}\`, f: 2, g: a ? {b: 1} : 2}`;
    assert.deepEqual(plain(source, 'script'), { c: [1, 3], f: 2 });
  });

  it('refuses expressions in data, where they are misplaced quotes', () => {
    assert.equal(plain('{"name": "A 5" screen", "price": "1"}', 'data'), undefined);
    assert.equal(plain('{"name": name}', 'data'), undefined);
  });

  it('reports where it stopped, so that a search can continue from there', () => {
    const source = 'push({a: 1}, 2)';
    assert.deepEqual(readLiteral(source, 5, 'script').end, 11);
    assert.equal(readLiteral('{"a": "unclosed', 0, 'script').end, 15);
  });

  it('treats __proto__ as an ordinary key', () => {
    const { value } = readLiteral('{"__proto__": {"polluted": 1}}', 0, 'data');
    assert.deepEqual(Object.keys(Object(value)), ['__proto__']);
    assert.equal(Object.getPrototypeOf(value), null);
  });

  it('refuses nesting deeper than 64, in linear time', () => {
    const started = performance.now();
    assert.equal(plain(`${'['.repeat(65)}${']'.repeat(65)}`, 'data'), undefined);
    assert.notEqual(plain(`${'['.repeat(64)}${']'.repeat(64)}`, 'data'), undefined);
    for (const part of ['[', '{"a":', '"', 'f(', '/*', ' ', '\\', '{a:b+'])
      readLiteral(part.repeat(500_000), 0, 'script');
    assert.ok(performance.now() - started < 5_000);
  });
});
