import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TrawlError } from '../../errors.ts';
import { cacheFolders, usableFolder } from './cache-folder.ts';
import { unpackChromium } from './unpack.ts';

/** Chromium as a file of an npm package. */
export const NPM_PACKAGE = '@sparticuz/chromium';

/** The folder of the npm package, or undefined where it cannot run or is not installed. */
export function npmPackage(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    // Its code is never loaded: that would unpack into the temporary folder.
    return dirname(dirname(createRequire(import.meta.url).resolve(NPM_PACKAGE)));
  } catch {
    return undefined;
  }
}

/** The Chromium of the npm package, unpacked, and the variables it needs. */
export async function npmChromium(
  folder: string,
  dataDir: string | undefined,
): Promise<{ path: string; env: NodeJS.ProcessEnv }> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const candidates = cacheFolders(dataDir);
  const cache = await usableFolder(candidates, process.getuid?.() === 0);
  if (cache === undefined) {
    throw new TrawlError(
      'BROWSER_UNAVAILABLE',
      `The Chromium that comes with Trawl has to be unpacked, and none of these folders can be written: ${candidates.join(', ')}.`,
    );
  }
  const place = await unpackChromium(join(folder, 'bin'), version, cache);
  return {
    path: join(place, 'chromium'),
    env: { LD_LIBRARY_PATH: join(place, 'lib'), FONTCONFIG_FILE: join(place, 'fonts.conf') },
  };
}
