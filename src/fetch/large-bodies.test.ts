import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { LargeBodies } from './large-bodies.ts';

const MB = 1024 * 1024;

/** Memory of this size for named bodies. Records which bodies were granted memory later, and which were too slow. */
function bodiesOf(megabytes: number) {
  const bodies = new LargeBodies(megabytes * MB);
  const granted: string[] = [];
  const tooSlow: string[] = [];
  return {
    granted,
    tooSlow,
    open(name: string, share: string) {
      const body = bodies.open(share, () => {
        tooSlow.push(name);
        body[Symbol.dispose]();
      });
      return {
        grow: (size: number) => body.grow(size * MB, () => granted.push(name)),
        [Symbol.dispose]: () => body[Symbol.dispose](),
      };
    },
  };
}

/** Returns a function that advances the clock by one check. */
function checks(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] });
  return () => context.mock.timers.tick(10_000);
}

describe('the memory for large bodies', () => {
  test('is not needed for a body of typical size', () => {
    const { open } = bodiesOf(0);
    for (let n = 0; n < 100; n++) assert.ok(open(`body ${n}`, 'a').grow(2));
  });

  test('is reserved as bytes arrive, and half of it is left for other shares', () => {
    const { open } = bodiesOf(64);
    const greedy = Array.from({ length: 20 }, (_, n) => open(`greedy ${n}`, 'a'));
    // Eight pieces, and the one body that may grow without limit.
    assert.equal(greedy.filter((body) => body.grow(3)).length, 9);
    const body = open('other', 'b');
    for (const size of [3, 7, 11]) assert.ok(body.grow(size), `${size} MB`);
  });

  test('lets one body at a time grow without limit, so that all reach their end', () => {
    const { open, granted } = bodiesOf(8);
    const left = new Map(['a1', 'a2', 'b1', 'b2', 'c1'].map((name) => [name, open(name, name.charAt(0))]));
    const sizes = new Map<string, number>();
    const ready = new Set(left.keys());
    for (let round = 0; round < 1000 && left.size > 0; round++) {
      for (const name of granted.splice(0)) ready.add(name);
      for (const [name, body] of left) {
        if (!ready.has(name)) continue;
        const size = (sizes.get(name) ?? 0) + 1;
        sizes.set(name, size);
        if (!body.grow(size)) ready.delete(name);
        else if (size >= 50) {
          left.delete(name);
          body[Symbol.dispose]();
        }
      }
    }
    assert.deepEqual([...left.keys()], []);
  });

  test('is taken from a body that is too slow while others wait', (context) => {
    const check = checks(context);
    const { open, granted, tooSlow } = bodiesOf(4);
    const [stalled, slow, quick] = [open('stalled', 'a'), open('slow', 'a'), open('quick', 'a')];
    assert.ok(stalled.grow(3) && slow.grow(3));
    check();
    check();
    assert.deepEqual(tooSlow, [], 'no other body waits');
    assert.ok(!quick.grow(3));
    slow.grow(3.1);
    check();
    assert.deepEqual([tooSlow, granted], [['stalled'], ['quick']]);
    const next = open('next', 'b');
    assert.ok(!next.grow(3));
    quick.grow(3.1);
    check();
    assert.deepEqual(
      [tooSlow, granted],
      [
        ['stalled', 'slow'],
        ['quick', 'next'],
      ],
    );
  });

  test('is released by a body that stops waiting', () => {
    const { open, granted } = bodiesOf(4);
    const [first, second] = [open('first', 'a'), open('second', 'b')];
    assert.ok(first.grow(3) && second.grow(3));
    const third = open('third', 'c');
    const fourth = open('fourth', 'd');
    assert.ok(!third.grow(3) && !fourth.grow(3));
    third[Symbol.dispose]();
    first[Symbol.dispose]();
    assert.deepEqual(granted, ['fourth']);
  });
});
