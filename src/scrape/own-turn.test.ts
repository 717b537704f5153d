import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownTurn } from './own-turn.ts';

test('each gets a turn of the event loop of its own, in the order in which they asked', async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counter = setImmediate(count);
  };
  let counter = setImmediate(count);
  const given: [name: number, turn: number][] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async (name) => {
      await ownTurn();
      given.push([name, turn]);
    }),
  );
  clearImmediate(counter);
  assert.deepEqual(given, [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
});
