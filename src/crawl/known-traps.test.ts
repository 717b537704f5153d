import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KnownTraps } from './known-traps.ts';

const day = (index: number) => {
  const date = new Date(Date.now() - index * 86_400_000).toISOString().slice(0, 10);
  return new URL(`http://a.example/calendar?date=${date}`);
};

describe('what a process knows of the traps of a crawl', () => {
  test('counts an address once, however often it comes', () => {
    const traps = new KnownTraps();
    for (let round = 0; round < 1_000; round++) assert.equal(traps.check('one', day(1)), undefined);
    assert.equal(traps.check('two', day(2)), undefined);
  });

  test('says the same of a trap when it comes again', () => {
    const traps = new KnownTraps();
    const said = Array.from({ length: 1_000 }, (_, index) => traps.check(String(index), day(index)));
    const refused = said.filter((reason) => reason !== undefined);
    assert.ok(refused.length > 0 && refused.length < 1_000, `${refused.length}`);
    for (const [index, reason] of said.entries()) assert.equal(traps.check(String(index), day(index)), reason);
  });

  test('keeps in mind what comes on every page of a large site', () => {
    const traps = new KnownTraps();
    for (let page = 0; page < 60_000; page++) {
      assert.equal(traps.check(`day ${page % 300}`, day(page % 300)), undefined);
      traps.check(`page ${page}`, new URL(`http://a.example/${page}/about-something`));
    }
    assert.equal(traps.check('another day', day(301)), undefined);
  });
});
