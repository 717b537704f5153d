import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { TrawlError } from '../../errors.ts';
import { NPM_PACKAGE, npmChromium, npmPackage } from '../npm-chromium/npm-chromium.ts';

/** A Chromium on this machine. */
export interface Chromium {
  path: string;
  /** Who says so: a setting, the system, or an npm package. */
  source: 'setting' | 'system' | 'npm';
  /** Variables that it needs. */
  env: NodeJS.ProcessEnv;
}

export interface ChromiumPlaces {
  /** TRAWL_BROWSER_PATH: then no other is tried. */
  path: string | undefined;
  /** The Chromium of npm is unpacked here when no cache folder can be written. */
  dataDir: string | undefined;
}

/** The headless shell first: it renders a page in a third of the time that the whole of Chromium takes (160 against 453 ms). */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** A Chromium that may have to be unpacked before it can run. */
export interface ChromiumCandidate {
  source: Chromium['source'];
  /** Its file, or the name of its package. */
  name: string;
  /** Throws BROWSER_UNAVAILABLE when there is nowhere to unpack it. */
  locate(): Promise<Chromium>;
}

/**
 * The Chromiums of this machine, the best first: only the one of the setting if there is a setting; else those of the system, and
 * the one that comes with npm. Runs and unpacks nothing.
 * @throws TrawlError BROWSER_UNAVAILABLE when the path of the setting cannot be run
 */
export async function listChromiums({ path, dataDir }: ChromiumPlaces): Promise<ChromiumCandidate[]> {
  if (path !== undefined) {
    await requireExecutable(path);
    return [installed(path, 'setting')];
  }
  const candidates = (await systemChromiums()).map((found) => installed(found, 'system'));
  const folder = npmPackage();
  if (folder === undefined) return candidates;
  const locate = async (): Promise<Chromium> => ({ ...(await npmChromium(folder, dataDir)), source: 'npm' });
  return [...candidates, { source: 'npm', name: NPM_PACKAGE, locate }];
}

function installed(path: string, source: Chromium['source']): ChromiumCandidate {
  return { source, name: path, locate: async () => ({ path, source, env: {} }) };
}

/** The one that is tried first, or undefined where there is none. Throws BROWSER_UNAVAILABLE. */
export async function firstChromium(places: ChromiumPlaces): Promise<Chromium | undefined> {
  const [first] = await listChromiums(places);
  return first?.locate();
}

/** What to do on a machine where no Chromium is found. */
export function howToInstall(platform = process.platform, arch = process.arch): string {
  if (platform === 'darwin')
    return 'Install one (brew install --cask chromium), or set TRAWL_BROWSER_PATH to that of Google Chrome.';
  const comes = platform === 'linux' && arch === 'x64' ? 'Run "npm ci" again, which brings one; or install' : 'Install';
  return `${comes} one of the system (Debian: apt-get install chromium-headless-shell; Fedora: dnf install chromium-headless; Alpine: apk add chromium), or set TRAWL_BROWSER_PATH.`;
}

async function systemChromiums(searchPath = process.env.PATH ?? ''): Promise<string[]> {
  const paths = NAMES.flatMap((name) => searchPath.split(delimiter).map((folder) => join(folder, name)));
  const found = await Promise.all(paths.map(isExecutable));
  return paths.filter((_, index) => found[index]);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function requireExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch (cause) {
    const reason =
      cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' ? 'does not exist' : 'cannot be run';
    throw new TrawlError(
      'BROWSER_UNAVAILABLE',
      `TRAWL_BROWSER_PATH is ${path}, which ${reason}. Set it to the program file of a Chromium, or unset it to use one that Trawl finds.`,
      { cause },
    );
  }
}
