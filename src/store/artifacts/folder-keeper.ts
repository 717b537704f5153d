import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ArtifactName } from '../operations/artifacts.ts';
import { BytesAway } from '../store-away.ts';
import type { ByteKeeper } from './byte-keeper.ts';

/**
 * Stores bytes in files, in 256 folders by the end of their id. No temporary names are needed: a file is only read once
 * its row says that it is complete.
 */
export function folderKeeper(root: string): ByteKeeper {
  const pathOf = ({ id }: ArtifactName) => join(resolve(root), id.slice(-2), id);
  return {
    isOutside: true,

    async put(name, bytes) {
      const path = pathOf(name);
      const folder = dirname(path);
      try {
        await makeFolder(folder);
        await writeTo(path, bytes);
        await syncFolder(folder);
      } catch (cause) {
        throw unusable(root, cause);
      }
    },

    async get(name) {
      try {
        const file = await open(pathOf(name), 'r');
        return file.createReadStream();
      } catch (cause) {
        if (isCode(cause, 'ENOENT')) return null;
        throw unusable(root, cause);
      }
    },

    async remove(name) {
      try {
        await rm(pathOf(name), { force: true });
      } catch (cause) {
        throw unusable(root, cause);
      }
    },

    async close() {},
  };
}

/** Accessible only to this user: it holds scraped data. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // Beginning with the first missing folder: each is an entry in its parent, which has to be synced.
  for (let path = folder; made !== undefined && path.length >= made.length; path = dirname(path)) {
    await syncFolder(dirname(path));
  }
}

async function writeTo(path: string, bytes: Uint8Array): Promise<void> {
  await using file: FileHandle = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.datasync();
}

async function syncFolder(path: string): Promise<void> {
  await using folder: FileHandle = await open(path, 'r');
  await folder.sync();
}

function unusable(root: string, cause: unknown): BytesAway {
  const reason = cause instanceof Error ? cause.message : cause;
  return new BytesAway(`The folder ${root} cannot be used: ${reason}.`, { cause });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
