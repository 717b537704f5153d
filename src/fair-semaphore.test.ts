import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../test/support/random.ts';
import { FairSemaphore } from './fair-semaphore.ts';

/** A semaphore whose permits have names; `granted` lists them in the order in which they were granted. */
function semaphoreOf(size: number) {
  const semaphore = new FairSemaphore(size);
  const granted: string[] = [];
  return {
    semaphore,
    granted,
    request(name: string, share: string, amount = 1) {
      const permit = semaphore.request(share, amount, () => granted.push(name));
      if (permit.isHeld) granted.push(name);
      return permit;
    },
  };
}

const never = new AbortController().signal;

describe('a fair semaphore', () => {
  test('grants a permit at once while one is free, and otherwise when another is released', () => {
    const { request, granted } = semaphoreOf(2);
    const first = request('first', 'a');
    request('second', 'b');
    request('third', 'c');
    assert.deepEqual(granted, ['first', 'second']);
    first[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'second', 'third']);
  });

  test('leaves half of the capacity to newcomers, however much one share requests', () => {
    const { request, granted } = semaphoreOf(16);
    const counts = ['a', 'b', 'c', 'd', 'e'].map((share) => {
      const before = granted.length;
      for (let n = 0; n < 20; n++) request(share, share);
      return granted.length - before;
    });
    assert.deepEqual(counts, [8, 4, 2, 1, 1]);
  });

  test('gives released permits to the share that has too few', () => {
    const { request, granted } = semaphoreOf(16);
    const greedy = Array.from({ length: 20 }, () => request('greedy', 'greedy'));
    for (let n = 0; n < 20; n++) request('late', 'late');
    assert.equal(granted.filter((name) => name === 'late').length, 4);
    for (const permit of greedy.slice(0, 4)) permit[Symbol.dispose]();
    const late = granted.filter((name) => name === 'late').length;
    const held = granted.filter((name) => name === 'greedy').length - 4;
    assert.ok(late >= 5 && held >= 5 && late + held <= 11, `${late} and ${held}`);
  });

  test('takes turns between shares, and keeps the order within one', () => {
    const semaphore = new FairSemaphore(1);
    const order: string[] = [];
    const first = semaphore.request('a', 1, () => {});
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) {
      const permit = semaphore.request(name.charAt(0), 1, () => {
        order.push(name);
        permit[Symbol.dispose]();
      });
    }
    first[Symbol.dispose]();
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('lets nobody overtake a share that holds nothing', () => {
    const { request, granted } = semaphoreOf(10);
    const first = request('first', 'a', 4);
    request('large', 'b', 8);
    request('small', 'c', 1);
    assert.deepEqual(granted, ['first']);
    first[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'large', 'small']);
  });

  test('lets others overtake a share that has its part', () => {
    const { request, granted } = semaphoreOf(10);
    request('first', 'a', 5);
    request('more', 'a', 1);
    request('other', 'b', 1);
    assert.deepEqual(granted, ['first', 'other']);
  });

  test('grants the next request when one stops waiting', () => {
    const { request, granted } = semaphoreOf(10);
    request('first', 'a', 4);
    const large = request('large', 'b', 8);
    request('small', 'c', 1);
    large[Symbol.dispose]();
    assert.deepEqual(granted, ['first', 'small']);
  });

  test('releases a permit once, however often it is disposed of', () => {
    const { request, granted } = semaphoreOf(2);
    const first = request('first', 'a');
    request('second', 'b');
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    request('third', 'c');
    request('fourth', 'd');
    assert.deepEqual(granted, ['first', 'second', 'third']);
  });

  test('grants the whole capacity to a request for more', () => {
    const { request, granted, semaphore } = semaphoreOf(10);
    request('first', 'a', 1000)[Symbol.dispose]();
    assert.ok(semaphore.isEmpty);
    request('second', 'a', 10);
    assert.deepEqual(granted, ['first', 'second']);
  });

  test('throws the reason of the signal to a waiting caller, and holds nothing for it', async () => {
    const semaphore = new FairSemaphore(1);
    const held = await semaphore.acquire('a', 1, never);
    const stop = new AbortController();
    const waiting = semaphore.acquire('b', 1, stop.signal);
    const reason = new Error('Too late.');
    stop.abort(reason);
    held[Symbol.dispose]();
    await assert.rejects(waiting, reason);
    await assert.rejects(semaphore.acquire('b', 1, stop.signal), reason);
    assert.ok(semaphore.isEmpty);
  });

  test('never grants more than its size, and is empty when all have left', () => {
    const numbers = new Random(7);
    const semaphore = new FairSemaphore(20);
    const open = new Map<number, { amount: number; isHeld: boolean; permit: Disposable }>();
    for (let n = 0; n < 20_000; n++) {
      if (numbers.below(5) < 3) {
        const entry = { amount: 1 + numbers.below(6), isHeld: false, permit: { [Symbol.dispose]() {} } };
        const permit = semaphore.request(String(numbers.below(5)), entry.amount, () => {
          entry.isHeld = true;
        });
        entry.isHeld ||= permit.isHeld;
        entry.permit = permit;
        open.set(n, entry);
      } else {
        const [id, entry] = [...open][numbers.below(Math.max(1, open.size))] ?? [];
        if (id === undefined || entry === undefined) continue;
        open.delete(id);
        entry.permit[Symbol.dispose]();
      }
      const held = [...open.values()].reduce((sum, { isHeld, amount }) => sum + (isHeld ? amount : 0), 0);
      assert.ok(held <= 20, `${held} of 20`);
      if (open.size > 40) {
        for (const { permit } of open.values()) permit[Symbol.dispose]();
        open.clear();
        assert.ok(semaphore.isEmpty);
      }
    }
  });
});
