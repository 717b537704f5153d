// `node scripts/run.mjs ARGS` sets up whatever is missing and then becomes `node ARGS` under Node 24.
// Every script of package.json starts here, so each works on a machine that has only Node 20 and npm.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { becomeNode24, compileAhead } from './node24.mjs';
import { setUp } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
try {
  // What was installed had its compiled code in the same place as everything else there: it is gone.
  if (setUp(root)) {
    const threads = ['src/store/sqlite/writer.ts', 'src/scrape/page-workers/worker.ts'];
    compileAhead(root, ['src/cli/main.ts', 'src/server/service.ts', ...threads]);
  }
  becomeNode24(root, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`trawl: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
