import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { excessOfTeams } from './fair-share.ts';

const excess = (sizes: Record<string, number>, room: number) =>
  Object.fromEntries(
    excessOfTeams(
      Object.entries(sizes).map(([teamId, bytes]) => ({ teamId, bytes })),
      room,
    ).map(({ teamId, bytes }) => [teamId, bytes]),
  );

describe('the share of each team', () => {
  test('is all of the space for a single team', () => {
    assert.deepEqual(excess({ one: 100 }, 100), {});
    assert.deepEqual(excess({ one: 130 }, 100), { one: 30 });
  });

  test('is not reduced by a larger team', () => {
    assert.deepEqual(excess({ small: 40, large: 1000 }, 100), { large: 940 });
    assert.deepEqual(excess({ small: 50, large: 1000 }, 100), { large: 950 });
  });

  test('is the same for all teams that exceed it', () => {
    assert.deepEqual(excess({ tiny: 10, one: 60, two: 200 }, 100), { one: 15, two: 155 });
  });

  test('grows by the space that others leave', () => {
    assert.deepEqual(excess({ tiny: 10, one: 20, two: 70 }, 100), {});
    assert.deepEqual(excess({ one: 0, two: 0, three: 100 }, 100), {});
  });

  test('is zero without any space', () => {
    assert.deepEqual(excess({ one: 1, two: 2 }, 0), { one: 1, two: 2 });
    assert.deepEqual(excess({}, 0), {});
  });
});
