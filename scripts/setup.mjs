// Plain JavaScript that Node 20 runs, without dependencies: it runs before there are any.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { requireRegistry } from './registry.mjs';

/** The size of the installation on Linux x64, in MB. Half of the download is Node 24, a quarter is the linter. */
const DOWNLOAD_MB = 180;
export const DISK_MB = 480;

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {string | string[]} [os]
 * @property {string | string[]} [cpu]
 */

/**
 * Installs the packages of package-lock.json. Does nothing, in a few milliseconds, when they are already installed.
 *
 * @param {string} root the repository's folder
 * @returns {boolean} whether anything was installed
 * @throws when the installation fails
 */
export function setUp(root) {
  const wanted = readWanted(root);
  if (isInstalled(root, wanted)) return false;
  const start = Date.now();
  const count = wanted.filter(([path, { link }]) => path.startsWith('node_modules/') && !link).length;
  if (count > 0) {
    say(
      `installing the ${count} packages of package-lock.json into node_modules, which happens once: about ` +
        `${DOWNLOAD_MB} MB to download, ${DISK_MB} MB on the disk.`,
    );
    requireRegistry(root, npmEnvironment(root));
  }
  // An interrupted installation must not look complete. Older releases of npm leave this file behind.
  rmSync(installedList(root), { force: true });
  // Everything is included explicitly, because NODE_ENV=production or a user's npm settings would leave parts out.
  const result = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: npmEnvironment(root),
  });
  if (result.error) throw new Error(`npm could not be started: ${result.error.message}. Is it installed?`);
  if (result.status !== 0) throw new Error('"npm ci" failed, see above. Once it works, run the same command again.');
  say(`installed in ${Math.round((Date.now() - start) / 1000)} s.`);
  return true;
}

/**
 * The packages in package-lock.json for this platform.
 *
 * @param {string} root
 * @returns {[path: string, LockedPackage][]}
 */
function readWanted(root) {
  const packages = readPackages(join(root, 'package-lock.json'));
  if (!packages)
    throw new Error(`${join(root, 'package-lock.json')} is missing or damaged. Check the repository out anew.`);
  return Object.entries(packages).filter(
    ([path, { os, cpu }]) => path !== '' && includes(os, process.platform) && includes(cpu, process.arch),
  );
}

/**
 * Whether each package is installed in the locked version. npm records what it installed, so a manual `npm install`
 * counts too.
 *
 * @param {string} root
 * @param {[path: string, LockedPackage][]} wanted
 */
function isInstalled(root, wanted) {
  const installed = readPackages(installedList(root));
  if (!installed) return false;
  return wanted.every(([path, { version, optional }]) => {
    const found = installed[path];
    // An optional package may be left out where it cannot be built.
    return found ? found.version === version : optional === true;
  });
}

/** @param {string} root */
function installedList(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined} undefined when the file is missing or truncated
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * @param {string | string[] | undefined} names undefined stands for all
 * @param {string} name
 */
function includes(names, name) {
  return names === undefined || [names].flat().includes(name);
}

/**
 * npm puts node_modules/.bin first on the PATH, and the Node there disappears while `npm ci` runs.
 *
 * @param {string} root
 */
function npmEnvironment(root) {
  const own = join(root, 'node_modules', '.bin');
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== own);
  // npm skips optional packages that need a newer Node than the one it runs on, so it has to run on this one.
  return { ...process.env, PATH: [dirname(process.execPath), ...folders].join(delimiter) };
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`trawl: ${message}\n`);
}
