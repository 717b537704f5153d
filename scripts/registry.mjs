// Plain JavaScript that Node 20 runs, without dependencies: it runs before there are any.
import { spawnSync } from 'node:child_process';

/** How long the registry may take to answer. `npm ci` would wait five minutes, and try a closed port for more than one. */
const ANSWER_MS = 5_000;
/** npm is ended after this, whatever it does. */
const LIMIT_MS = 8_000;

/**
 * Asks the registry of npm for an answer. npm does it, because it knows the user's registry, proxy and certificates.
 *
 * @param {string} root the repository's folder
 * @param {NodeJS.ProcessEnv} env
 * @throws within 8 s, when none comes
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
  // Without npm the installation says so.
  if (status === 0 || (error && !isTimeout(error))) return;
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'ETIMEDOUT';
  // A registry that knows no ping answers all the same, and `npm config set offline true` wants none.
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
 * Where npm looked, without a password.
 *
 * @param {string} output
 */
function nameOf(output) {
  const address = / PING (\S+)/.exec(output)?.[1] ?? '';
  return URL.canParse(address) ? ` ${new URL(address).origin}` : '';
}
