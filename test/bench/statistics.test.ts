import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantile, trend } from '../../bench/statistics.ts';

test('a quantile is the nearest rank', () => {
  const samples = [50, 15, 40, 20, 35];
  assert.equal(quantile(samples, 0.05), 15);
  assert.equal(quantile(samples, 0.5), 35);
  assert.equal(quantile(samples, 0.95), 50);
});

test('a trend is the slope of the best line, with its error', () => {
  const line = trend([
    [0, 5],
    [1, 7],
    [2, 9],
    [3, 11],
  ]);
  assert.deepEqual(line, { slope: 2, error: 0 });

  // Calculated by hand: the slope is 5.5 / 5; the residuals are 0.4, -0.7, 0.2 and 0.1, and their squares add up to
  // 0.7.
  const noisy = trend([
    [0.5, 1],
    [1.5, 1],
    [2.5, 3],
    [3.5, 4],
  ]);
  assert.ok(Math.abs(noisy.slope - 1.1) < 1e-9);
  assert.ok(Math.abs(noisy.error - Math.sqrt(0.7 / 2 / 5)) < 1e-9);
});
