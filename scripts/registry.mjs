// Plain JavaScript that Node 20 runs, without dependencies: it runs before there are any.
import { spawnSync } from 'node:child_process';

/** How long the registry may take to answer. `npm ci` would wait five minutes, and try a closed port for more than one. */
const ANSWER_MS = 5_000;
/** npm is killed after this time in any case. */
const LIMIT_MS = 8_000;

/**
 * Checks that the npm registry answers. It uses npm, which knows the user's registry, proxy and certificates.
 *
 * @param {string} root the repository's folder
 * @param {NodeJS.ProcessEnv} env
 * @throws within 8 s, when there is no answer
 */
export function requireRegistry(root, env) {
  const args = ['ping', '--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`, '--loglevel=notice'];
  const { error, status, stderr } = spawnSync('npm', args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  // If npm is missing, the installation reports that.
  if (status === 0 || (error && !isTimeout(error))) return;
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'ETIMEDOUT';
  // A registry without a ping endpoint still answers, and `npm config set offline true` needs no registry.
  if (/^(E\d{3}|ENOTCACHED)$/.test(code)) return;
  throw new Error(
    `the npm registry${nameOf(stderr)} ${code === 'FETCH_ERROR' ? 'does not answer' : `cannot be reached (${code})`}. ` +
      'Check the network and "npm config get registry", then run the same command again.',
  );
}

/** @param {Error & { code?: string }} error */
function isTimeout({ code }) {
  return code === 'ETIMEDOUT';
}

/**
 * The address that npm used, without its password.
 *
 * @param {string} output
 */
function nameOf(output) {
  const address = / PING (\S+)/.exec(output)?.[1] ?? '';
  return URL.canParse(address) ? ` ${new URL(address).origin}` : '';
}
