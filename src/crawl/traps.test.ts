import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { useClock } from '../clock.ts';
import { countedShape, ShapeLimits, trapOf } from './traps.ts';

const SITE = 'https://site.example';
const reasonFor = (path: string) => trapOf(new URL(path, SITE));

function add(limits: ShapeLimits, address: string): string | undefined {
  const shape = countedShape(new URL(address, SITE));
  return shape === null ? undefined : limits.add(shape);
}

let restoreClock = () => {};
beforeEach(() => {
  restoreClock = useClock(() => Date.UTC(2026, 5));
});
afterEach(() => restoreClock());

/** How many of these addresses are accepted before one is refused, and the reason. */
function taken(
  address: (n: number) => string,
  max: number,
  limits = new ShapeLimits(),
): [count: number, reason: string] {
  for (let n = 0; n < max; n++) {
    const reason = add(limits, address(n));
    if (reason !== undefined) return [n, reason];
  }
  return [max, ''];
}

const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);

describe('an address is a trap', () => {
  for (const [path, reason] of [
    ['/a/b/a/b/a/b', /The path keeps repeating "a\/b"\./],
    ['/x/a/b/c/a/b/c/a/b/c', /repeating "a\/b\/c"/],
    ['/x/x/x/x', /repeating "x"/],
    ['/a/b/a/b/a/b/c?d', /repeating "a\/b"/],
    [`/${Array.from({ length: 31 }, (_, n) => `n${n}`).join('/')}`, /The path has 31 segments/],
    ['/login?next=%2Flogin%3Fnext%3D%252525252Flogin', /encoded many times over/],
    [`/?${'f=1&'.repeat(11)}`, /The query has "f" more than 10 times/],
    [`/?${Array.from({ length: 31 }, (_, n) => `p${n}=1`).join('&')}`, /The query has 31 parameters/],
    ['/calendar/2029/01', /This is a calendar of 2029: a crawl follows calendars 2 years ahead and 30 back\./],
    ['/events?month=1899-12', /a calendar of 1899/],
    ['/plan?day=1&month=1&year=9999', /a calendar of 9999/],
  ] as const) {
    test(path.slice(0, 60), () => assert.match(reasonFor(path) ?? '', reason));
  }

  for (const path of [
    '/',
    '/a/b/a/b',
    '/x/x/x',
    '/2024/11/11/11-things',
    '/calendar/2028/12',
    '/calendar/1996/01',
    '/archive/1850/01/02',
    '/films?year=1950',
    '/go?to=https%3A%2F%2Fother.example%2F%3Fq%3D100%2525',
    '/?f=1&f=2&f=3',
    '/docs/v1/reference/api/v1/reference',
  ]) {
    test(`but not ${path}`, () => assert.equal(reasonFor(path), undefined));
  }
});

describe('endless addresses are a trap', () => {
  for (const [name, address, count, reason] of [
    [
      'a calendar',
      (n: number) => `/events/${day(n)}/`,
      400,
      /The crawl already has 400 addresses like site\.example\/events\/\{date\}\/: a calendar has no end\./,
    ],
    ['a calendar in the query', (n: number) => `/plan?date=${day(n)}`, 400, /a calendar has no end/],
    ['days of an archive', (n: number) => `/${day(n).replaceAll('-', '/')}/`, 10_000, /pages for every day/],
    ['a list', (n: number) => `/list?page=${n}`, 5_000, /the list seems to have no end/],
    ['searches', (n: number) => `/search?q=word${n}`, 1_000, /searches have no end/],
    ['filters', (n: number) => `/shop?a=${n % 7}&b=${n % 11}&c=${n}`, 2_000, /combined filters/],
    [
      'names of parameters',
      (n: number) => `/shop?p${n}=1`,
      100,
      /The crawl already has 100 variants of site\.example\/shop/,
    ],
    ['tokens', (n: number) => `/x/1f${n.toString(16).padStart(20, '0')}`, 20_000, /generated names/],
  ] as const) {
    test(name, () => {
      const [found, why] = taken(address, count + 1);
      assert.equal(found, count);
      assert.match(why, reason);
    });
  }

  test('but neither many articles nor many names are', () => {
    for (const address of [
      (n: number) => `/blog/${day(n % 900).replaceAll('-', '/')}/a-title-of-${n}`,
      (n: number) => `/item/${n}`,
      (n: number) => `/wiki/Word${String.fromCharCode(97 + (n % 26))}`,
      (n: number) => `/show?id=${n}`,
    ]) {
      assert.deepEqual(taken(address, 50_000), [50_000, '']);
    }
  });

  test('and others are still accepted', () => {
    const limits = new ShapeLimits();
    taken((n) => `/events/${day(n)}/`, 1_000, limits);
    assert.equal(add(limits, '/events/fair'), undefined);
    assert.equal(add(limits, 'https://docs.site.example/events/2026-01-01/'), undefined);
  });

  test('also when most of them were counted before', () => {
    const shape = countedShape(new URL('/events/2025-12-31/', SITE));
    assert.ok(shape);
    const limits = new ShapeLimits(new Map([[shape.key, 399]]));
    assert.equal(limits.add(shape), undefined);
    assert.match(limits.add(shape) ?? '', /no end/);
  });

  test('also when names of parameters were counted before, but known ones are accepted', () => {
    const [known, other] = ['/shop?color=1', '/shop?size=1'].map((path) => countedShape(new URL(path, SITE)));
    assert.ok(known?.family && other);
    const limits = new ShapeLimits(
      new Map([
        [known.key, 1],
        [known.family, 100],
      ]),
    );
    assert.equal(limits.add(known), undefined);
    assert.match(limits.add(other) ?? '', /already has 100 variants/);
  });
});
