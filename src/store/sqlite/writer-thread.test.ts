import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { TrawlError } from '../../errors.ts';
import { WriterThread } from './writer-thread.ts';

test('a thread that dies fails its pending writes, warns, and is restarted by the next write', async () => {
  await using folder = await temporaryFolder();
  const missing = join(folder.path, 'missing');
  const writer = new WriterThread(join(missing, 'test.db'));
  const warned = once(process, 'warning');
  const results = await Promise.allSettled([writer.write('ping', undefined), writer.write('ping', undefined)]);
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof TrawlError);
    assert.equal(result.reason.code, 'STORE_UNAVAILABLE');
  }
  const [warning] = await warned;
  assert.match(String(warning), /StoreWarning: The writer thread of the store ended/);

  await mkdir(missing);
  await writer.write('ping', undefined);
  await writer.close();
});

test('a thread that was never started closes at once', async () => {
  const writer = new WriterThread('nowhere.db');
  await writer.close();
  await assert.rejects(writer.write('ping', undefined), { code: 'STORE_UNAVAILABLE' });
});

test('writes beyond the maximum that may wait are refused', async () => {
  await using folder = await temporaryFolder();
  const writer = new WriterThread(join(folder.path, 'test.db'));
  const writes = Array.from({ length: 10_001 }, () => writer.write('ping', undefined));
  const results = await Promise.allSettled(writes);
  assert.deepEqual(
    results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
    [10_000],
  );
  await writer.close();
});
