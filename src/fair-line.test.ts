import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairLine } from './fair-line.ts';

/** A line of names such as `a1`, whose first letter is their share. */
function lineOf(...names: string[]) {
  const line = new FairLine<string>();
  for (const name of names) line.add(name.charAt(0), name);
  return line;
}

function takeAll(line: FairLine<string>): string[] {
  const taken: string[] = [];
  for (let name = line.take(); name !== undefined; name = line.take()) taken.push(name);
  return taken;
}

describe('a fair line', () => {
  test('keeps the order within a share, and takes turns between shares', () => {
    assert.deepEqual(takeAll(lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('lets a share wait until the others have used as much', () => {
    const line = lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'b3');
    assert.equal(line.take(), 'a1');
    line.charge('a', 2);
    assert.deepEqual(takeAll(line), ['b1', 'b2', 'b3', 'a2', 'a3']);
  });

  test('gives a newcomer no credit for its absence', () => {
    const line = lineOf('a1', 'a2', 'a3', 'a4', 'a5');
    for (const name of ['a1', 'a2', 'a3']) {
      assert.equal(line.take(), name);
      line.charge('a', 100);
    }
    for (const name of ['b1', 'b2', 'b3']) line.add('b', name);
    assert.deepEqual(line.take(), 'b1');
    line.charge('b', 150);
    assert.deepEqual(takeAll(line), ['a4', 'a5', 'b2', 'b3']);
  });

  test('checks the first item of each share, and skips those that may not go', () => {
    const line = lineOf('a1', 'a2', 'b1');
    const asked: string[] = [];
    const taken = line.take((share, name) => {
      asked.push(name);
      return share === 'b';
    });
    assert.deepEqual([asked, taken, line.size], [['a1', 'b1'], 'b1', 2]);
  });

  test('forgets removed items', () => {
    const line = lineOf('a1', 'a2', 'b1');
    line.delete('a', 'a1');
    line.delete('a', 'a1');
    line.delete('c', 'c1');
    assert.equal(line.size, 2);
    assert.deepEqual(takeAll(line), ['a2', 'b1']);
    assert.equal(line.size, 0);
  });
});
