import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { compress, decompress } from './compression.ts';

const SIZES = [0, 1, 100, 65_535, 65_536, 65_537, 200_000, 1_000_000];

for (const size of SIZES) {
  test(`${size} bytes survive compression and decompression, compressible or not`, async () => {
    for (const body of [randomBytes(size), new Uint8Array(size).fill(120)]) {
      const compressed = await compress(body);
      assert.equal(compressed.size, size);
      assert.equal(compressed.bytes.byteLength, compressed.bytes.buffer.byteLength, 'the bytes fill their buffer');
      assert.equal(Buffer.compare(await decompress(compressed), body), 0);
    }
  });
}

test('text is stored as UTF-8', async () => {
  const compressed = await compress('Grüße');
  assert.equal(compressed.size, 7);
  assert.equal(new TextDecoder().decode(await decompress(compressed)), 'Grüße');
});

for (const size of [1000, 200_000]) {
  test(`${size} bytes that expand to a different size than stated are refused`, async () => {
    const { bytes } = await compress(new Uint8Array(size));
    await assert.rejects(decompress({ bytes, size: size - 1 }), { code: 'ERR_BUFFER_TOO_LARGE' });
    await assert.rejects(decompress({ bytes, size: size + 1 }), /has \d+ bytes instead of/);
  });
}

test('bytes that are not zstd are refused', async () => {
  await assert.rejects(decompress({ bytes: new Uint8Array(100), size: 100 }));
});
