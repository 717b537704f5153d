import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressShape, calendarYear } from './address-shape.ts';

describe('the shape of an address', () => {
  for (const [path, shape, kind] of [
    ['/', '/', 'fixed'],
    ['/about/Team', '/about/team', 'fixed'],
    ['/wiki/Harbour', '/wiki/harbour', 'fixed'],
    ['/item/123', '/item/{number}', 'title'],
    ['/item/123.html', '/item/{number}.html', 'title'],
    ['/blog/the-old-harbour', '/blog/{title}', 'title'],
    ['/blog/2024/05/06/the-old-harbour', '/blog/{date}/{title}', 'title'],
    ['/show?id=5', '/show?id', 'title'],
    ['/a/0123456789abcdef01', '/a/{token}', 'token'],
    ['/a/01890000-0000-7000-8000-000000000000', '/a/{token}', 'token'],
    ['/2024/05/06/', '/{date}/', 'archive'],
    ['/2024/5', '/{date}', 'archive'],
    ['/news/2024-05-06', '/news/{date}', 'archive'],
    ['/news/20240506.html', '/news/{date}.html', 'archive'],
    ['/events/2024-05-06/', '/events/{date}/', 'calendar'],
    ['/calendar/2024/05', '/calendar/{date}', 'calendar'],
    ['/events/2024/05/summer-fair-on-the-quay', '/events/{date}/{title}', 'title'],
    ['/plan?month=5&year=2024', '/plan?month&year', 'calendar'],
    ['/plan?date=2024-05-06', '/plan?date', 'calendar'],
    ['/plan?month=may-flowers-special', '/plan?month', 'title'],
    ['/films?year=1950', '/films?year', 'title'],
    ['/shop?tag=21irf-20', '/shop?tag', 'title'],
    ['/list?page=7', '/list?page', 'pagination'],
    ['/list/page/7/', '/list/page/{number}/', 'pagination'],
    ['/list?color=red&start=40&size=l', '/list?color&size&start', 'pagination'],
    ['/search?q=boats', '/search?q', 'search'],
    ['/forum.php?f=1&t=2', '/forum.php?f&t', 'pair'],
    ['/shop?size=l&color=red&brand=x', '/shop?brand&color&size', 'filters'],
    ['/shop?f[size]=l&f%5Bcolor%5D=red&F[0]=x', '/shop?f', 'title'],
  ] as const) {
    test(`${path} is ${shape}, ${kind}`, () => {
      const found = addressShape(new URL(path, 'https://site.example/'));
      assert.deepEqual([found.shape, found.kind], [`site.example${shape}`, kind]);
    });
  }

  test('takes time in proportion to the address', () => {
    const paths = [
      '/2024'.repeat(400),
      '-'.repeat(2_000),
      `/${'1-'.repeat(1_000)}`,
      `?${'a=1&'.repeat(500)}`,
      'events.'.repeat(280),
    ];
    const start = process.cpuUsage();
    for (const path of paths) {
      const url = new URL(path, 'https://site.example/');
      for (let n = 0; n < 100; n++) addressShape(url);
    }
    const { user } = process.cpuUsage(start);
    // 0.05 s here.
    assert.ok(user < 2_000_000, `${user} µs`);
  });
});

describe('the year of a calendar', () => {
  for (const [path, year] of [
    ['/calendar/2031/05', 2031],
    ['/events/2031-05-06', 2031],
    ['/plan?month=2031-05', 2031],
    ['/plan?date=20310506', 2031],
    ['/plan?month=5&year=9999', 9999],
    ['/plan?month=5', undefined],
    ['/events/123456', undefined],
  ] as const) {
    test(`of ${path} is ${year}`, () => {
      assert.equal(calendarYear(new URL(path, 'https://site.example/')), year);
    });
  }
});
