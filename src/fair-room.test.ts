import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../test/support/random.ts';
import { FairRoom } from './fair-room.ts';

/** A room whose places have names; tells the names in the order in which their places came. */
function roomOf(size: number) {
  const room = new FairRoom(size);
  const granted: string[] = [];
  return {
    room,
    granted,
    ask(name: string, share: string, amount = 1) {
      const place = room.ask(share, amount, () => granted.push(name));
      if (place.isHeld) granted.push(name);
      return place;
    },
  };
}

const never = new AbortController().signal;

describe('a fair room', () => {
  test('grants a place at once while one is free, and otherwise when another is released', () => {
    const { ask, granted } = roomOf(2);
    const first = ask('first', 'a');
    ask('second', 'b');
    ask('third', 'c');
    assert.deepEqual(granted, ['first', 'second']);
    first[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'second', 'third']);
  });

  test('leaves half of the room to newcomers, however much one share asks for', () => {
    const { ask, granted } = roomOf(16);
    const counts = ['a', 'b', 'c', 'd', 'e'].map((share) => {
      const before = granted.length;
      for (let n = 0; n < 20; n++) ask(share, share);
      return granted.length - before;
    });
    assert.deepEqual(counts, [8, 4, 2, 1, 1]);
  });

  test('gives released places to the share that has too few', () => {
    const { ask, granted } = roomOf(16);
    const greedy = Array.from({ length: 20 }, () => ask('greedy', 'greedy'));
    for (let n = 0; n < 20; n++) ask('late', 'late');
    assert.equal(granted.filter((name) => name === 'late').length, 4);
    for (const place of greedy.slice(0, 4)) place[Symbol.dispose]();
    const late = granted.filter((name) => name === 'late').length;
    const held = granted.filter((name) => name === 'greedy').length - 4;
    assert.ok(late >= 5 && held >= 5 && late + held <= 11, `${late} and ${held}`);
  });

  test('takes turns between shares, and keeps the order within one', () => {
    const room = new FairRoom(1);
    const order: string[] = [];
    const first = room.ask('a', 1, () => {});
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) {
      const place = room.ask(name.charAt(0), 1, () => {
        order.push(name);
        place[Symbol.dispose]();
      });
    }
    first[Symbol.dispose]();
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('lets nobody overtake a share that holds nothing', () => {
    const { ask, granted } = roomOf(10);
    const first = ask('first', 'a', 4);
    ask('large', 'b', 8);
    ask('small', 'c', 1);
    assert.deepEqual(granted, ['first']);
    first[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'large', 'small']);
  });

  test('lets others overtake a share that has its part', () => {
    const { ask, granted } = roomOf(10);
    ask('first', 'a', 5);
    ask('more', 'a', 1);
    ask('other', 'b', 1);
    assert.deepEqual(granted, ['first', 'other']);
  });

  test('grants the next request when one stops waiting', () => {
    const { ask, granted } = roomOf(10);
    ask('first', 'a', 4);
    const large = ask('large', 'b', 8);
    ask('small', 'c', 1);
    large[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'small']);
  });

  test('releases a place once, however often it is disposed of', () => {
    const { ask, granted } = roomOf(2);
    const first = ask('first', 'a');
    ask('second', 'b');
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    ask('third', 'c');
    ask('fourth', 'd');
    assert.deepEqual(granted, ['first', 'second', 'third']);
  });

  test('grants the whole room to a request for more', () => {
    const { ask, granted, room } = roomOf(10);
    ask('first', 'a', 1000)[Symbol.dispose]();
    assert.ok(room.isEmpty);
    ask('second', 'a', 10);
    assert.deepEqual(granted, ['first', 'second']);
  });

  test('throws the reason of the signal to a waiting caller, and holds nothing for it', async () => {
    const room = new FairRoom(1);
    const held = await room.enter('a', 1, never);
    const stop = new AbortController();
    const waiting = room.enter('b', 1, stop.signal);
    const reason = new Error('Too late.');
    stop.abort(reason);
    held[Symbol.dispose]();
    await assert.rejects(waiting, reason);
    await assert.rejects(room.enter('b', 1, stop.signal), reason);
    assert.ok(room.isEmpty);
  });

  test('never grants more than its size, and is empty when all have left', () => {
    const numbers = new Random(7);
    const room = new FairRoom(20);
    const open = new Map<number, { amount: number; isHeld: boolean; place: Disposable }>();
    for (let n = 0; n < 20_000; n++) {
      if (numbers.below(5) < 3) {
        const entry = { amount: 1 + numbers.below(6), isHeld: false, place: { [Symbol.dispose]() {} } };
        const place = room.ask(String(numbers.below(5)), entry.amount, () => {
          entry.isHeld = true;
        });
        entry.isHeld ||= place.isHeld;
        entry.place = place;
        open.set(n, entry);
      } else {
        const [id, entry] = [...open][numbers.below(Math.max(1, open.size))] ?? [];
        if (id === undefined || entry === undefined) continue;
        open.delete(id);
        entry.place[Symbol.dispose]();
      }
      const held = [...open.values()].reduce((sum, { isHeld, amount }) => sum + (isHeld ? amount : 0), 0);
      assert.ok(held <= 20, `${held} of 20`);
      if (open.size > 40) {
        for (const { place } of open.values()) place[Symbol.dispose]();
        open.clear();
        assert.ok(room.isEmpty);
      }
    }
  });
});
