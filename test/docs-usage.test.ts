import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WITHOUT_LIMIT } from '../src/contract/team.ts';
import { BUILT_IN_PLANS, RATE_GROUPS } from '../src/team/plans.ts';
import { BUILT_IN_PRICES, TOKENS_PER_CREDIT } from '../src/team/prices.ts';

const page = readFileSync(new URL('../docs/usage.md', import.meta.url), 'utf8');

test('docs/usage.md lists every built-in price', () => {
  const begin = page.indexOf('| price |');
  const table = page.slice(begin, page.indexOf('\n\n', begin));
  const listed = Array.from(table.matchAll(/^\| `(\w+)` \| (\d+) \|/gm), ([, name, credits]) => [
    name,
    Number(credits),
  ]);
  assert.deepEqual(Object.fromEntries(listed), BUILT_IN_PRICES);
});

test('docs/usage.md lists every built-in plan', () => {
  for (const { name, monthlyCredits, concurrency, queuedJobs, requestsPerMinute } of BUILT_IN_PLANS) {
    const rates = requestsPerMinute && RATE_GROUPS.map((group) => requestsPerMinute[group]).join(', ');
    const cells = [monthlyCredits, concurrency, queuedJobs, rates].map((limit) => limit ?? 'none');
    assert.ok(page.includes(`| \`${name}\` | ${cells.join(' | ')} |`), name);
  }
});

test('docs/usage.md says what answers contain for a plan without a limit, and what a credit is worth', () => {
  assert.ok(page.includes(WITHOUT_LIMIT.toLocaleString('en')));
  assert.ok(page.includes(`${TOKENS_PER_CREDIT} tokens`));
});
