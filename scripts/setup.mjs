// Plain JavaScript that Node 20 runs, without dependencies: it runs before there are any.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Makes node_modules hold what package-lock.json says. Does nothing, in a few milliseconds, when it already does.
 *
 * @param {string} root the repository's folder
 * @returns {boolean} whether there was anything to do
 * @throws when the installation fails
 */
export function setUp(root) {
  if (isInstalled(root)) return false;
  const start = Date.now();
  say('installing the dependencies in package-lock.json. This happens once and takes about 10 seconds …');
  // An installation that is cut short must not look finished. Older releases of npm leave this file behind.
  rmSync(installedList(root), { force: true });
  // Everything is asked for by name, because NODE_ENV=production or a user's own npm settings would leave parts out.
  const result = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PATH: pathWithoutOwnBinaries(root) },
    shell: process.platform === 'win32',
  });
  if (result.error) throw new Error(`npm could not be started: ${result.error.message}. Is it installed?`);
  if (result.status !== 0) throw new Error('"npm ci" failed, see above. Once it works, run the same command again.');
  say(`installed in ${Math.round((Date.now() - start) / 1000)} s.`);
  return true;
}

/**
 * Whether each package of the lockfile is installed in the locked version. npm itself writes down what
 * it installed, so an installation made by hand with `npm install` counts too.
 *
 * @param {string} root
 */
function isInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (!wanted)
    throw new Error(`${join(root, 'package-lock.json')} is missing or damaged. Check the repository out anew.`);
  const installed = readPackages(installedList(root));
  if (!installed) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    // Optional packages are for one platform each: those of the others are rightly absent.
    return found ? found.version === version : optional === true;
  });
}

/** @param {string} root */
function installedList(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/**
 * @param {string} file
 * @returns {Record<string, { version: string, optional?: boolean }> | undefined} undefined when the file is missing or cut short
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * npm puts node_modules/.bin first, and the Node there disappears while `npm ci` runs.
 *
 * @param {string} root
 */
function pathWithoutOwnBinaries(root) {
  const own = join(root, 'node_modules', '.bin');
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== own)
    .join(delimiter);
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`trawl: ${message}\n`);
}
