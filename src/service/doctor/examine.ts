import type { Config } from '../../config.ts';
import { checkBrowser } from './check-browser.ts';
import { checkNode } from './check-node.ts';
import { checkDatabase, checkDataDirectory } from './check-store.ts';
import type { Finding } from './finding.ts';

/** Looks at everything that the service needs from this machine, and gives each finding as soon as it is known. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  yield checkNode();
  yield await checkDataDirectory(config);
  yield await checkDatabase(config);
  yield* await checkBrowser(config);
}
