import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { LargeBodies } from './large-bodies.ts';

const MB = 1024 * 1024;

/** Room of so many megabytes for bodies that have names; tells who was called when there was room, and who was too slow. */
function bodiesOf(megabytes: number) {
  const bodies = new LargeBodies(megabytes * MB);
  const roomFor: string[] = [];
  const tooSlow: string[] = [];
  return {
    roomFor,
    tooSlow,
    open(name: string, share: string) {
      const body = bodies.open(share, () => {
        tooSlow.push(name);
        body[Symbol.dispose]();
      });
      return {
        grow: (size: number) => body.grow(size * MB, () => roomFor.push(name)),
        [Symbol.dispose]: () => body[Symbol.dispose](),
      };
    },
  };
}

/** Moves the clock of the looks on by one of them. */
function looks(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] });
  return () => context.mock.timers.tick(10_000);
}

describe('the room of large bodies', () => {
  test('is not asked for a body of a usual size', () => {
    const { open } = bodiesOf(0);
    for (let n = 0; n < 100; n++) assert.ok(open(`body ${n}`, 'a').grow(2));
  });

  test('is taken by what has come, and leaves half to other shares', () => {
    const { open } = bodiesOf(64);
    const greedy = Array.from({ length: 20 }, (_, n) => open(`greedy ${n}`, 'a'));
    // Eight pieces, and one body that needs none.
    assert.equal(greedy.filter((body) => body.grow(3)).length, 9);
    const body = open('other', 'b');
    for (const size of [3, 7, 11]) assert.ok(body.grow(size), `${size} MB`);
  });

  test('lets one body at a time grow without asking, so that all come to their end', () => {
    const { open, roomFor } = bodiesOf(8);
    const left = new Map(['a1', 'a2', 'b1', 'b2', 'c1'].map((name) => [name, open(name, name.charAt(0))]));
    const sizes = new Map<string, number>();
    const ready = new Set(left.keys());
    for (let round = 0; round < 1000 && left.size > 0; round++) {
      for (const name of roomFor.splice(0)) ready.add(name);
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

  test('takes a body that is too slow for whoever waits', (context) => {
    const look = looks(context);
    const { open, roomFor, tooSlow } = bodiesOf(4);
    const [stalled, slow, quick] = [open('stalled', 'a'), open('slow', 'a'), open('quick', 'a')];
    assert.ok(stalled.grow(3) && slow.grow(3));
    look();
    look();
    assert.deepEqual(tooSlow, [], 'nobody waits');
    assert.ok(!quick.grow(3));
    slow.grow(3.1);
    look();
    assert.deepEqual([tooSlow, roomFor], [['stalled'], ['quick']]);
    const next = open('next', 'b');
    assert.ok(!next.grow(3));
    quick.grow(3.1);
    look();
    assert.deepEqual(
      [tooSlow, roomFor],
      [
        ['stalled', 'slow'],
        ['quick', 'next'],
      ],
    );
  });

  test('is given back by a body that stops waiting', () => {
    const { open, roomFor } = bodiesOf(4);
    const [first, second] = [open('first', 'a'), open('second', 'b')];
    assert.ok(first.grow(3) && second.grow(3));
    const third = open('third', 'c');
    const fourth = open('fourth', 'd');
    assert.ok(!third.grow(3) && !fourth.grow(3));
    third[Symbol.dispose]();
    first[Symbol.dispose]();
    assert.deepEqual(roomFor, ['fourth']);
  });
});
