import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOnce } from './load-once.ts';

test('loads once for all callers, and again after a failure', async () => {
  let count = 0;
  const load = loadOnce(async () => {
    count += 1;
    if (count === 1) throw new Error('not yet');
    return count;
  });
  const failed = await Promise.allSettled([load(), load()]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(await Promise.all([load(), load()]), [2, 2]);
  assert.equal(await load(), 2);
  assert.equal(count, 2);
});
