import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * Where the Chromium of npm is unpacked: a cache folder that every Trawl of this user shares and no backup contains, else the
 * data directory. Root runs Chromium as another user, who has to reach it, and who cannot reach into root's home.
 */
export function cacheFolders(
  dataDir: string | undefined,
  { XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv = process.env,
  isRoot = process.getuid?.() === 0,
): string[] {
  const home = HOME || homedir();
  const userCache = XDG_CACHE_HOME || (home === '' ? undefined : join(home, '.cache'));
  const caches = isRoot ? ['/var/cache', userCache] : [userCache];
  const folders = caches.map((cache) => cache && join(cache, 'trawl'));
  return [...folders, dataDir && join(dataDir, 'browser')]
    .filter((folder) => folder !== undefined)
    .map((folder) => resolve(folder));
}

/** The first of the folders that can be written, and that others can reach if they have to. Makes it. Undefined if there is none. */
export async function usableFolder(folders: readonly string[], isForOthers: boolean): Promise<string | undefined> {
  const writable: string[] = [];
  for (const folder of folders) {
    if (!(await isMade(folder))) continue;
    if (!isForOthers || (await isOpenToOthers(folder))) return folder;
    writable.push(folder);
  }
  return writable[0];
}

async function isMade(folder: string): Promise<boolean> {
  try {
    const made = await mkdir(folder, { recursive: true });
    // A strict umask would hide it from the user as whom Chromium runs.
    if (made === folder) await chmod(folder, 0o755);
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function isOpenToOthers(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenToOthers(parent);
}
