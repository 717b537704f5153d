// Plain JavaScript that Node 20 runs, without dependencies: it runs before there are any.
import { compileAhead } from './node24.mjs';
import { setUp } from './setup.mjs';

/**
 * Sets up anything missing in a checkout.
 *
 * @param {string} root the repository's folder
 * @throws when the installation fails
 */
export function makeReady(root) {
  if (!setUp(root)) return;
  // The installation deleted node_modules, and the compile cache in it.
  const threads = ['src/store/sqlite/writer.ts', 'src/scrape/page-workers/worker.ts'];
  compileAhead(root, ['src/cli/main.ts', 'src/server/service.ts', ...threads]);
}
