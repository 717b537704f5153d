import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchLedger } from '../../bench/limits/ledger.ts';
import { rowsIn } from '../support/rows.ts';
import { STORE_KINDS } from '../support/stores.ts';

for (const { name, skip, create } of STORE_KINDS) {
  test(`the ledger is filled and measured on ${name}`, { skip }, async () => {
    await using location = await create();
    const names: string[] = [];
    for await (const figure of benchLedger(location.options, { quick: true })) {
      assert.ok(figure.value > 0, figure.name);
      names.push(figure.name);
    }
    assert.equal(new Set(names).size, 10);
    const [filled] = await rowsIn(
      location.options,
      `select cast(count(*) as text) as entries, cast(sum(credits) as text) as credits from charges`,
    );
    const [sums] = await rowsIn(location.options, 'select cast(sum(credits) as text) as credits from usage_days');
    assert.ok(Number(filled?.entries) > 20_000);
    assert.equal(sums?.credits, filled?.credits, 'the sums hold what was filled in too');
  });
}
