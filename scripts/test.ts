/**
 * `npm test [-- FILTER …]`: runs the test files whose path contains one of the filters, all without one.
 * The last line is always `N passed, N failed`, with `, N skipped` after it when something was skipped.
 */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { report } from './test-report.ts';

const root = process.cwd();
const filters = process.argv.slice(2);

const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort()
  .map((file) => join(root, file));
if (files.length === 0) console.log(`No test file's path contains ${filters.join(' or ')}.`);

const events = run({
  files,
  cwd: root,
  concurrency: true,
  // For one test. Whatever hangs must end with its name; what takes longer states its own timeout.
  timeout: 60_000,
  // For the whole run: a file that never ends, for example because of a server left open.
  signal: AbortSignal.timeout(15 * 60_000),
});
const total = await report(events, (file) => relative(root, file));

if (total.failed > 0 || files.length === 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
