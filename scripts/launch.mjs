// Plain JavaScript that Node 20 runs. Sets up anything missing in a checkout, and prints the arguments of `env`:
// variables, then Node 24 and its arguments, one per line.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, findNode24, SERVICE_FLAGS } from './node24.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'cli', 'main.ts');
const [what] = process.argv.slice(2);
try {
  const isCheckout = existsSync(source);
  if (isCheckout) {
    const { makeReady } = await import('./make-ready.mjs');
    makeReady(root);
  }
  const variables = Object.entries(environment(root)).map(([name, value]) => `${name}=${value}`);
  const main = isCheckout ? source : join(root, 'dist', 'cli', 'main.js');
  const words = [...variables, findNode24(root), ...(what === 'trawl' ? [...SERVICE_FLAGS, main] : [])];
  process.stdout.write(`${words.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`trawl: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
