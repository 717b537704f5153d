import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { shared } from '../../../test/support/shared.ts';
import { openSharedStore } from '../../../test/support/shared-store.ts';
import { STORE_KINDS } from '../../../test/support/stores.ts';
import { now, useClock } from '../../clock.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

for (const kind of STORE_KINDS) {
  describe(`limits in ${kind.name}`, { skip: kind.skip }, async () => {
    if (kind.skip) return;
    const { store, ageWindows, ageSlots } = await shared(openSharedStore(kind));
    const { limits } = store;
    const anyone = () => randomBytes(8).toString('hex');
    const request = (subject: string, given: object = {}) => ({
      subject,
      group: 'scrape',
      limit: 10,
      windowMs: MINUTE,
      ...given,
    });

    test('concurrent requests in a window are counted one by one', async () => {
      const subject = anyone();
      const counts = await Promise.all(
        Array.from({ length: 300 }, () => limits.count(request(subject, { limit: 500 }))),
      );
      assert.deepEqual(
        counts.map(({ requests }) => requests).sort((a, b) => a - b),
        Array.from({ length: 300 }, (_, index) => index + 1),
      );
      for (const { endsIn } of counts) assert.ok(endsIn > 0 && endsIn <= MINUTE, `${endsIn}`);
    });

    test('subjects and groups have windows of their own', async () => {
      const [one, other] = [anyone(), anyone()];
      await limits.count(request(one));
      await limits.count(request(one));
      assert.equal((await limits.count(request(one, { group: 'map' }))).requests, 1);
      assert.equal((await limits.count(request(other))).requests, 1);
      assert.equal((await limits.count(request(one))).requests, 3);
    });

    test('a new window follows one that has ended, and ignores its refusals', async () => {
      const subject = anyone();
      for (let turn = 0; turn < 5; turn++) await limits.count(request(subject, { limit: 2 }));
      using _ = await ageWindows(MINUTE);
      const { requests, endsIn } = await limits.count(request(subject, { limit: 2 }));
      assert.equal(requests, 1);
      assert.ok(endsIn > MINUTE - 10_000 && endsIn <= MINUTE, `${endsIn}`);
    });

    test('a full window stays full until its end, and a higher limit takes effect at once', async () => {
      const subject = anyone();
      for (let turn = 0; turn < 3; turn++) await limits.count(request(subject, { limit: 2 }));
      const refused = await limits.count(request(subject, { limit: 2 }));
      assert.ok(refused.requests > 2);
      using _ = await ageWindows(20_000);
      const { endsIn } = await limits.count(request(subject, { limit: 2 }));
      assert.ok(Math.abs(refused.endsIn - 20_000 - endsIn) < 5_000, `${refused.endsIn} then ${endsIn}`);
      assert.ok((await limits.count(request(subject, { limit: 100 }))).requests <= 100);
    });

    test('concurrent callers get as many slots as there are, and released slots can be taken again', async () => {
      const subject = anyone();
      const asked = await Promise.all(Array.from({ length: 40 }, () => limits.takeSlot(subject, 7)));
      const slots = asked.filter((slot) => slot !== null);
      assert.equal(slots.length, 7);
      assert.equal(await limits.takenSlots(subject), 7);
      assert.equal(await limits.takeSlot(subject, 7), null);

      await slots[3]?.release();
      await slots[3]?.release();
      assert.equal(await limits.takenSlots(subject), 6);
      const next = await limits.takeSlot(subject, 7);
      assert.notEqual(next, null);
      assert.equal(await limits.takeSlot(subject, 7), null);
      await Promise.all([next, ...slots].map((slot) => slot?.release()));
      assert.equal(await limits.takenSlots(subject), 0);
    });

    test('a slot with a new holder cannot be released by the previous one', async () => {
      const subject = anyone();
      const before = await limits.takeSlot(subject, 1);
      await before?.release();
      const after = await limits.takeSlot(subject, 1);
      await before?.release();
      assert.equal(await limits.takeSlot(subject, 1), null);
      await after?.release();
    });

    test('a free slot is never refused, however quickly slots are taken and released', async () => {
      const subject = anyone();
      let refused = 0;
      const worker = async () => {
        for (let turn = 0; turn < 50; turn++) {
          const slot = await limits.takeSlot(subject, 8);
          if (slot === null) refused += 1;
          await slot?.release();
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      assert.equal(refused, 0);
    });

    test('a lower number of slots than are taken refuses one more, and a higher number grants it', async () => {
      const subject = anyone();
      const slots = await Promise.all([1, 2, 3].map(() => limits.takeSlot(subject, 3)));
      assert.equal(await limits.takeSlot(subject, 2), null);
      const more = await limits.takeSlot(subject, 4);
      assert.notEqual(more, null);
      await Promise.all([more, ...slots].map((slot) => slot?.release()));
    });

    // In memory, slots end with the process.
    if (ageSlots !== null) {
      test('the slots of a killed process are free again after half a minute', async () => {
        const subject = anyone();
        const lost = await limits.takeSlot(subject, 1);
        await ageSlots(29_000);
        assert.equal(await limits.takeSlot(subject, 1), null);
        await ageSlots(1_000);
        const next = await limits.takeSlot(subject, 1);
        assert.notEqual(next, null);
        await lost?.release();
        assert.equal(await limits.takenSlots(subject), 1, 'it belongs to the next one');
        await next?.release();
      });
    }

    test('concurrent requests of a client in a day are counted up to the limit', async () => {
      const asked = { client: anyone(), day: 20_000, limit: 5 };
      const counts = await Promise.all(Array.from({ length: 20 }, () => store.keyless.count(asked)));
      const allowed = counts.filter((count) => count !== null);
      assert.deepEqual(allowed.sort(), [1, 2, 3, 4, 5]);
      assert.equal(await store.keyless.count({ ...asked, day: 20_001 }), 1);
      assert.equal(await store.keyless.count({ ...asked, client: anyone() }), 1);
    });

    test('sweeps remove counts and slots a day after their end, and no younger ones', async () => {
      const [client, subject] = [anyone(), anyone()];
      const today = Math.floor(now() / DAY);
      for (let turn = 0; turn < 2; turn++) {
        await store.keyless.count({ client, day: today, limit: 5 });
        await limits.count(request(subject));
      }
      const slot = await limits.takeSlot(subject, 1);
      while (await store.sweep({ now: now() + DAY - MINUTE, cacheBytes: 0 }));
      assert.equal(await store.keyless.count({ client, day: today, limit: 5 }), 3);
      assert.equal((await limits.count(request(subject))).requests, 3);
      assert.equal(await limits.takeSlot(subject, 1), null);

      await slot?.release();
      while (await store.sweep({ now: now() + 2 * DAY + MINUTE, cacheBytes: 0 }));
      assert.equal(await store.keyless.count({ client, day: today, limit: 5 }), 1);
      const again = await limits.takeSlot(subject, 1);
      assert.notEqual(again, null);
      await again?.release();
    });
  });
}

test('a clock that is set back does not stretch a window', async () => {
  const { MemoryLimits } = await import('./memory-limits.ts');
  const limits = new MemoryLimits();
  const asked = { subject: 'a', group: 'scrape', limit: 1, windowMs: MINUTE };
  await limits.count(asked);
  const restore = useClock(() => Date.now() - 3_600_000);
  try {
    assert.equal((await limits.count(asked)).requests, 1);
  } finally {
    restore();
  }
});

test('beyond the maximum, the oldest window is dropped', async () => {
  const { Windows } = await import('./windows.ts');
  const windows = new Windows(3);
  for (const key of ['a', 'b', 'c', 'd']) windows.begin(key, { requests: 1, endsAt: now() + MINUTE });
  const known = ['a', 'b', 'c', 'd'].filter((key) => windows.running(key, MINUTE) !== undefined);
  assert.deepEqual(known, ['b', 'c', 'd']);
});
