// Plain JavaScript that Node 20 runs: this is what finds Node 24 in the first place.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const WANTED_MAJOR = 24;

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
 * Becomes `node ARGS` under Node 24: same terminal, same signals, same exit code. Compiled code is
 * kept in node_modules/.cache, which takes a third off every later start.
 *
 * @param {string} root the package's folder
 * @param {string[]} args
 */
export function becomeNode24(root, args) {
  const node = findNode24(root);
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'), ...process.env };
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
