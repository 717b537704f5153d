import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RenderSlots, type SlotRequest } from './slots.ts';

const never = new AbortController().signal;

/** Requests slots in this order, gives each back as soon as it is granted to the next, and returns the order of the grants. */
async function orderOf(slots: RenderSlots, requests: readonly SlotRequest[]): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(
    requests.map(async ({ share, urgency }) => {
      using _slot = await slots.acquire({ share, urgency }, never);
      order.push(`${share} ${urgency}`);
    }),
  );
  return order;
}

const times = (count: number, request: SlotRequest) => Array.from({ length: count }, () => request);

describe('slots of the browser', () => {
  test('are all for one share, and one more for a share that has none', async () => {
    const slots = new RenderSlots(3);
    const answer = (share: string): SlotRequest => ({ share, urgency: 'answer' });
    for (let n = 0; n < 3; n++) await slots.acquire(answer('a'), never);
    const waiting = slots.acquire(answer('a'), never);
    await slots.acquire(answer('b'), never);
    assert.equal(slots.taken, 4);
    const outside = slots.acquire(answer('c'), never);
    assert.equal(slots.waiting, 2);
    const stop = new AbortController();
    const cancelled = slots.acquire(answer('d'), stop.signal);
    stop.abort(new Error('Enough.'));
    await assert.rejects(cancelled, /Enough/);
    assert.equal(slots.waiting, 2);
    void waiting;
    void outside;
  });

  test('go to shares in turn', async () => {
    const slots = new RenderSlots(1);
    const held = await slots.acquire({ share: 'x', urgency: 'job' }, never);
    const spare = await slots.acquire({ share: 'y', urgency: 'job' }, never);
    const order = orderOf(slots, [...times(3, { share: 'a', urgency: 'job' }), { share: 'b', urgency: 'job' }]);
    spare[Symbol.dispose]();
    held[Symbol.dispose]();
    assert.deepEqual((await order).indexOf('b job'), 1);
    assert.equal(slots.taken, 0);
  });

  test('go to answers before jobs, but each fifth to a job', async () => {
    const slots = new RenderSlots(1);
    const held = [await slots.acquire({ share: 'x', urgency: 'job' }, never)];
    held.push(await slots.acquire({ share: 'y', urgency: 'job' }, never));
    const order = orderOf(slots, [
      ...times(2, { share: 'a', urgency: 'job' }),
      ...times(6, { share: 'a', urgency: 'answer' }),
    ]);
    for (const slot of held) slot[Symbol.dispose]();
    assert.deepEqual(
      (await order).map((name) => name.slice(2)),
      ['answer', 'answer', 'answer', 'answer', 'job', 'answer', 'answer', 'job'],
    );
  });

  test('are given back once', async () => {
    const slots = new RenderSlots(1);
    const slot = await slots.acquire({ share: 'a', urgency: 'job' }, never);
    slot[Symbol.dispose]();
    slot[Symbol.dispose]();
    assert.equal(slots.taken, 0);
  });
});
