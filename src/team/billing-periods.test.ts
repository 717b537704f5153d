import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysOf, periodAt, periodsBetween } from './billing-periods.ts';

const at = (time: string) => Date.parse(time.length === 10 ? `${time}T00:00:00.000Z` : time);
const day = (ms: number) => {
  assert.equal(ms % 86_400_000, 0, 'at midnight UTC');
  return new Date(ms).toISOString().slice(0, 10);
};

describe('a billing period', () => {
  for (const [anchor, moment, start, end] of [
    ['2024-05-15', '2024-06-20', '2024-06-15', '2024-07-15'],
    ['2024-05-15', '2024-06-10', '2024-05-15', '2024-06-15'],
    ['2024-05-15T23:59:59.999Z', '2024-06-15', '2024-06-15', '2024-07-15'],
    ['2024-05-15', '2024-06-14T23:59:59.999Z', '2024-05-15', '2024-06-15'],
    ['2024-05-15', '2020-01-01', '2019-12-15', '2020-01-15'],
    ['2024-05-01', '2024-12-31T23:59:59.999Z', '2024-12-01', '2025-01-01'],
    ['2024-05-31', '2025-02-27T23:59:59.999Z', '2025-01-31', '2025-02-28'],
    ['2024-05-31', '2025-02-28', '2025-02-28', '2025-03-31'],
    ['2024-05-31', '2024-02-28T23:59:59.999Z', '2024-01-31', '2024-02-29'],
    ['2024-05-31', '2024-02-29', '2024-02-29', '2024-03-31'],
    ['2024-05-31', '2024-04-30', '2024-04-30', '2024-05-31'],
    ['2024-05-30', '2025-03-01', '2025-02-28', '2025-03-30'],
    ['2024-02-29', '2025-02-28', '2025-02-28', '2025-03-29'],
    ['2024-02-29', '2100-02-28', '2100-02-28', '2100-03-29'],
    ['2024-05-31', '2000-02-29', '2000-02-29', '2000-03-31'],
  ] as const) {
    test(`anchored at ${anchor} that ${moment} is in: ${start} to ${end}`, () => {
      const period = periodAt(at(anchor), at(moment));
      assert.deepEqual({ start: day(period.start), end: day(period.end) }, { start, end });
      assert.deepEqual(periodsBetween(at(anchor), at(moment), at(moment)), [period]);
    });
  }

  test('is a whole number of days', () => {
    assert.deepEqual(daysOf(periodAt(0, 0)), { firstDay: 0, endDay: 31 });
  });
});

test('periods follow each other without a gap, one a month, whatever the anchor', () => {
  const [from, to] = [at('2023-12-31T12:00:00Z'), at('2028-03-01')];
  for (let anchor = at('2024-01-01'); anchor <= at('2024-01-31'); anchor += 86_400_000) {
    const periods = periodsBetween(anchor, from, to);
    assert.ok((periods[0]?.start ?? 0) <= from && (periods[0]?.end ?? 0) > from);
    assert.ok((periods.at(-1)?.start ?? 0) <= to && (periods.at(-1)?.end ?? 0) > to);
    for (const [index, { start, end }] of periods.entries()) {
      assert.equal(start, periods[index - 1]?.end ?? start);
      const month = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();
      assert.equal(month(end) - month(start), 1);
    }
  }
});

test('there are no periods if the end is before the start', () => {
  assert.deepEqual(periodsBetween(0, at('2024-05-01'), at('2024-03-01')), []);
});
