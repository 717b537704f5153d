#!/usr/bin/env node
// The `trawl` command. In a checkout it sets up what is missing and runs the source; in the published
// package, where Node strips no types, it runs what was built.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { becomeNode24, SERVICE_FLAGS } from '../scripts/node24.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'cli', 'main.ts');
const args = process.argv.slice(2);
try {
  if (existsSync(source)) {
    const { makeReady } = await import('../scripts/make-ready.mjs');
    makeReady(root);
    becomeNode24(root, [...SERVICE_FLAGS, source, ...args]);
  } else {
    becomeNode24(root, [...SERVICE_FLAGS, join(root, 'dist', 'cli', 'main.js'), ...args]);
  }
} catch (error) {
  process.stderr.write(`trawl: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
