import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RATE_GROUPS } from '../src/team/plans.ts';
import { ENDPOINT_GROUPS } from '../src/team/restrictions.ts';

const page = readFileSync(new URL('../docs/limits.md', import.meta.url), 'utf8');
const section = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

test('docs/limits.md names every group of requests, and every group that a key can be restricted to', () => {
  for (const group of RATE_GROUPS) assert.ok(section('Requests a minute').includes(`\`${group}\``), group);
  for (const group of ENDPOINT_GROUPS) assert.ok(section('What a key may do').includes(`\`${group}\``), group);
});

test('docs/limits.md explains every header and code that reports a limit', () => {
  const told = ['Limit', 'Remaining', 'Reset'].map((header) => `X-RateLimit-${header}`);
  for (const word of [...told, 'Retry-After', 'RATE_LIMIT_EXCEEDED', 'CONCURRENCY_LIMIT_EXCEEDED', 'FORBIDDEN']) {
    assert.ok(page.includes(word), word);
  }
});
