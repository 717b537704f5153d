import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BLOCK_PAGES, NORMAL_PAGES } from '../../test/support/block-pages.ts';
import { NO_DATASET, openDataset } from '../../test/support/dataset.ts';
import { blockOf } from './block-page.ts';

const dataset = openDataset();

describe('block pages are recognised', () => {
  for (const { name, vendor, ...page } of BLOCK_PAGES) {
    test(`${vendor ?? 'unknown product'}: ${name}`, () => assert.deepEqual(blockOf(page), { vendor }));
  }
});

describe('other pages are not taken for block pages', () => {
  for (const { name, ...page } of NORMAL_PAGES) {
    test(name, () => assert.equal(blockOf(page), undefined));
  }

  test('1,496 real pages', { skip: dataset === null && NO_DATASET }, () => {
    const pages = dataset?.pages() ?? [];
    const taken = pages.filter((id) =>
      blockOf({ status: 200, headers: {}, contentType: 'text/html', body: dataset?.html(id) ?? Buffer.of() }),
    );
    // This one is a page of Anubis.
    assert.deepEqual(
      taken.filter((id) => id !== '0551'),
      [],
    );
  });
});

test('the time for a hostile page is bounded', () => {
  const hostile = [
    '<script>',
    '<!--',
    '<title ',
    '<input ',

    "You don't have permission to access ",
    '<a ',
  ];
  for (const piece of hostile) {
    const body = Buffer.from(piece.repeat(100_000 / piece.length));
    const startedAt = process.cpuUsage();
    blockOf({ status: 403, headers: {}, contentType: 'text/html', body });
    const { user } = process.cpuUsage(startedAt);
    assert.ok(user < 500_000, `${user} µs for ${piece}`);
  }
});
