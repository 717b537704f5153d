// Plain JavaScript that Node 20 runs: this is what finds Node 24 in the first place.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WANTED_MAJOR = 24;

/**
 * What `npm start` gives to Node, too. New objects get 8 MB and not 32 before those in use are sorted out: under load the
 * service takes 120 MB less, and no more processor time (32 scrapes at once: 438 and 317 MB, 6.2 and 5.7 ms each).
 */
export const SERVICE_FLAGS = ['--max-semi-space-size=8'];

/**
 * The Node to run Trawl with: this one if it is new enough, else the binary that the optional
 * dependency `node-PLATFORM-ARCH` brings.
 *
 * @param {string} root the package's folder
 * @returns {string} path of the executable
 */
function findNode24(root) {
  if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) return process.execPath;
  try {
    return createRequire(join(root, 'package.json')).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    throw new Error(
      `Trawl needs Node ${WANTED_MAJOR} or newer. This is Node ${process.versions.node}, and no Node ${WANTED_MAJOR} came with the ` +
        `dependencies for ${process.platform}-${process.arch}. Install it from https://nodejs.org and try again.`,
    );
  }
}

/**
 * The environment of Trawl. Compiled code is kept in node_modules/.cache: a start then takes half the time, and
 * 38 MB less, because Node does not load its own TypeScript compiler.
 *
 * @param {string} root the package's folder
 */
function environment(root) {
  return { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'), ...process.env };
}

/**
 * Fills the cache of compiled code with the modules and everything that they import.
 *
 * @param {string} root the package's folder
 * @param {string[]} modules paths from there
 */
export function compileAhead(root, modules) {
  const imports = modules.map((module) => `import(${JSON.stringify(pathToFileURL(join(root, module)).href)})`);
  const code = `Promise.allSettled([${imports}])`;
  spawnSync(findNode24(root), ['-e', code], { env: environment(root), stdio: 'ignore' });
}

/**
 * Becomes `node ARGS` under Node 24: same terminal, same signals, same exit code.
 *
 * @param {string} root the package's folder
 * @param {string[]} args
 */
export function becomeNode24(root, args) {
  const node = findNode24(root);
  const env = environment(root);
  // Node has execve since 22.15. It keeps the process id, so that signals reach Trawl itself.
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env);

  const child = spawn(node, args, { stdio: 'inherit', env });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}
