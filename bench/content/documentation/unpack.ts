import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(tmpdir(), 'trawl-documentation');

/**
 * Downloads a Debian package and unpacks it into the folder for temporary files, once. Nothing is installed.
 *
 * @returns the folder that stands for `/`
 * @throws when it cannot be downloaded
 */
export function unpack(name: string): string {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`downloading ${name}\n`);
  const work = mkdtempSync(join(tmpdir(), 'trawl-package-'));
  try {
    run('apt-get', ['download', '--quiet', name], work);
    const [file] = readdirSync(work);
    if (file === undefined) throw new Error(`apt-get downloaded nothing for ${name}.`);
    run('dpkg-deb', ['--extract', file, 'files'], work);
    // An interrupted download must not look complete.
    mkdirSync(FOLDER, { recursive: true });
    renameSync(join(work, 'files'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error)
    throw new Error(`${command} could not be started: ${error.message}. The documentation comes from Debian packages.`);
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed. If the package lists are old, run apt-get update. ${stderr}`);
  }
}
