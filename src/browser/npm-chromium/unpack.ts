import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';
import { now } from '../../clock.ts';
import { makeOwnedFolder, sweepFolders } from '../process/owned-folder.ts';
import { readTar } from './read-tar.ts';

const decompress = promisify(brotliDecompress);

const NAME = 'chromium-';
const PARTIAL = 'unpacking-';
/** Each start of a browser marks the version that it uses; one that nobody used for this long is removed. */
const UNUSED_MS = 7 * 86_400_000;

/**
 * Unpacks the Chromium of the npm package below `folder`, unless it is there already, and returns the folder that holds
 * `chromium`, `lib/` and `fonts.conf`. Takes about four seconds, on other threads. It appears whole or not at all: it is
 * unpacked beside its place and renamed, so that processes may do this at the same time and be killed at any moment.
 * @param archives the folder `bin` of the package
 */
export async function unpackChromium(archives: string, version: string, folder: string): Promise<string> {
  const place = join(folder, NAME + version);
  if (await isUsed(place)) return place;
  await sweepFolders(folder, PARTIAL, [process.getuid?.() ?? 0]);
  const partial = await makeOwnedFolder(folder, PARTIAL);
  try {
    await unpackInto(partial, archives, place);
    await rename(partial, place);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process was faster.
    if (!(await isUsed(place))) throw error;
  }
  await removeUnused(folder);
  return place;
}

async function isUsed(place: string): Promise<boolean> {
  try {
    const time = new Date(now());
    await utimes(place, time, time);
    return true;
  } catch {
    // It may be another user's, who keeps it.
    return stat(place).then(
      () => true,
      () => false,
    );
  }
}

async function unpackInto(partial: string, archives: string, place: string): Promise<void> {
  await pipeline(
    createReadStream(join(archives, 'chromium.br')),
    createBrotliDecompress({ chunkSize: 1 << 20 }),
    createWriteStream(join(partial, 'chromium'), { mode: 0o755, flush: true }),
  );
  // The libraries of Amazon Linux are NSS and Expat: small images of other systems do not have them either.
  for (const archive of ['swiftshader', 'fonts', 'al2023'])
    await unpackArchive(join(archives, `${archive}.tar.br`), partial);
  await writeFile(join(partial, 'fonts.conf'), fontsConfig(place), { flush: true });
  await openToOthers(partial);
}

/** Chromium may run as another user, and neither mkdtemp nor a strict umask lets others read. */
async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToOthers(path);
    else await chmod(path, (await isExecutable(path)) ? 0o755 : 0o644);
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o100) !== 0;
}

async function unpackArchive(archive: string, into: string): Promise<void> {
  const files = readTar(await decompress(await readFile(archive)));
  for (const { path, isExecutable, bytes } of files) {
    const target = join(into, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes, { mode: isExecutable ? 0o755 : 0o644, flush: true });
  }
}

/** The fonts of the system if there are any, and the one that comes with the package. */
function fontsConfig(place: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${place}/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(NAME)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (now() - mtimeMs > UNUSED_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
}
