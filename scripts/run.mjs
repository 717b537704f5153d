// `node scripts/run.mjs ARGS` sets up whatever is missing and then becomes `node ARGS` under Node 24.
// Every script of package.json starts here, so each works on a machine that has only Node 20 and npm.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './make-ready.mjs';
import { becomeNode24 } from './node24.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
try {
  makeReady(root);
  becomeNode24(root, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`trawl: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
