import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryRoom } from './memory-room.ts';

/** Asks for memory under a name, and tells the names of those who have got some. */
function roomOf(size: number) {
  const room = new MemoryRoom(size);
  const names: string[] = [];
  return {
    ask(name: string, bytes: number) {
      const reservation = room.reserve(bytes);
      void reservation.granted.then(() => names.push(name));
      return reservation;
    },
    async granted() {
      await nextTurn();
      return names;
    },
  };
}

describe('room in memory', () => {
  test('is had at once while there is some, and else when another one gives it back', async () => {
    const { ask, granted } = roomOf(10);
    const first = ask('first', 6);
    ask('second', 4);
    ask('third', 5);
    assert.deepEqual(await granted(), ['first', 'second']);
    first[Symbol.dispose]();
    assert.deepEqual(await granted(), ['first', 'second', 'third']);
  });

  test('is had in the order of coming, so that who needs much comes too', async () => {
    const { ask, granted } = roomOf(10);
    const first = ask('first', 6);
    const large = ask('large', 10);
    ask('small', 1);
    assert.deepEqual(await granted(), ['first']);
    first[Symbol.dispose]();
    assert.deepEqual(await granted(), ['first', 'large']);
    large[Symbol.dispose]();
    assert.deepEqual(await granted(), ['first', 'large', 'small']);
  });

  test('is there for the next one when somebody waits no longer', async () => {
    const { ask, granted } = roomOf(10);
    ask('first', 6);
    const large = ask('large', 10);
    ask('small', 4);
    large[Symbol.dispose]();
    assert.deepEqual(await granted(), ['first', 'small']);
  });

  test('is given back once, however often that is said', async () => {
    const { ask, granted } = roomOf(10);
    const first = ask('first', 6);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    ask('second', 10);
    ask('third', 1);
    assert.deepEqual(await granted(), ['first', 'second']);
  });

  test('is all that there is for who needs more', async () => {
    const { ask, granted } = roomOf(10);
    ask('first', 1000)[Symbol.dispose]();
    ask('second', 10);
    assert.deepEqual(await granted(), ['first', 'second']);
  });
});
