/**
 * `npm test [-- FILTER …]`: runs the test files whose path contains one of the filters, or all files without a filter.
 * The last line is always `N passed, N failed`, with `, N skipped` after it when something was skipped.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { report } from './test-report.ts';

const root = process.cwd();
const filters = process.argv.slice(2);

// Tests of the whole service run first. They take longest, and a long file at the end would run alone.
const files = ['test/**/*.test.ts', 'src/**/*.test.ts', 'bench/*/*.test.ts', 'training/*.test.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .map((file) => join(root, file));
if (files.length === 0) console.log(`No test file's path contains ${filters.join(' or ')}.`);

const events = run({
  files,
  cwd: root,
  // One file is one process. Measured on 2 cores: one at a time 18.6 s, two 12.2 s, three 15.8 s. All files in
  // one process would take half the processor time, but then one file could change what the next one sees.
  concurrency: availableParallelism(),
  // The limit for one test, so that a hanging test is reported by name. The slowest tests take 20 s on two idle cores,
  // so this allows for a machine that is fifteen times slower. No test measures time, and this limit is not a
  // measurement either.
  timeout: 5 * 60_000,
  // The limit for the whole run, in case a file never ends, for example because a server is left open.
  signal: AbortSignal.timeout(60 * 60_000),
});
const total = await report(events, (file) => relative(root, file));

if (total.failed > 0 || files.length === 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
