import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeSettings } from '../src/config.ts';
import { startTrawlOn } from './support/batch.ts';
import { readDocs } from './support/option-table.ts';
import { runTrawl } from './support/process.ts';
import { rowsIn } from './support/rows.ts';
import { STORE_KINDS } from './support/stores.ts';

const page = readDocs('operate.md');
const section = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

for (const { name, skip, create } of STORE_KINDS) {
  test(`docs/operate.md says how long the rows of every table in ${name} are kept`, { skip }, async () => {
    await using trawl = await startTrawlOn(create());
    const tables = await rowsIn(
      trawl.options,
      name === 'SQLite'
        ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
        : "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    assert.ok(tables.length > 20);
    for (const table of tables) {
      assert.ok(section('What is kept for how long').includes(`\`${table.name}\``), `${table.name}`);
    }
  });
}

test('docs/operate.md names settings and commands that exist', async () => {
  const settings = describeSettings().map(({ name }) => name);
  for (const [name] of page.matchAll(/\bTRAWL_\w+/g)) assert.ok(settings.includes(name), name);
  const { stdout } = await runTrawl(['--help']);
  for (const [, command = ''] of page.matchAll(/(?:^ {4}|`)trawl (\w+)/gm)) {
    assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'));
  }
});

test('docs/operate.md names metrics that exist, and README.md links to it', async () => {
  const sqlite = STORE_KINDS[0] ?? assert.fail();
  await using trawl = await startTrawlOn(sqlite.create());
  const metrics = await (await fetch(`${trawl.address}/metrics`)).text();
  const rows = section('Health and metrics').matchAll(/^\| `(\w+)` \|/gm);
  const named = [...rows].map(([, name]) => name ?? '');
  assert.ok(named.length > 0);
  for (const name of named) assert.ok(metrics.includes(`# TYPE ${name} `), name);
  assert.match(readFileSync(new URL('../README.md', import.meta.url), 'utf8'), /\(docs\/operate\.md\)/);
});
