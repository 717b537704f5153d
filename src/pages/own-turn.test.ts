import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backgroundTurn, ownTurn, quickTurn } from './own-turn.ts';

test('each caller gets its own turn of the event loop, in the order of the calls', async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counter = setImmediate(count);
  };
  let counter = setImmediate(count);
  const given: [name: number, turn: number][] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async (name) => {
      await ownTurn('a');
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

test('a team that wants many turns gets every second one while another team waits', async () => {
  const given: string[] = [];
  const ask = async (share: string) => {
    await ownTurn(share);
    given.push(share);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'b'].map(ask));
  assert.equal(given.join(''), 'ababaaa');
});

test('scrapes go before pages of jobs, except in one turn of eight', async () => {
  const given: string[] = [];
  const ask = async (name: string, turn: () => Promise<void>) => {
    await turn();
    given.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 4 }, () => ask('job', () => backgroundTurn('a'))),
    ...Array.from({ length: 12 }, () => ask('scrape', () => ownTurn('a'))),
  ]);
  const [last = -1] = [given.lastIndexOf('scrape')];
  const before = given.slice(0, last).filter((name) => name === 'job').length;
  assert.ok(before >= 1 && before <= 2, given.join());
});

test('quick work waits for at most one other turn, and takes at most every second one', async () => {
  const given: string[] = [];
  const ask = async (name: string, turn: () => Promise<void>) => {
    await turn();
    given.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 12 }, () => ask('r', () => ownTurn('a'))),
    ...Array.from({ length: 6 }, () => ask('q', () => quickTurn('a'))),
  ]);
  const order = given.join('');
  assert.match(order.slice(0, 12), /^(qr){6}$|^(rq){6}$/, order);
});
