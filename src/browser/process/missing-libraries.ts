import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Chromium } from './find-chromium.ts';

const run = promisify(execFile);

/** The shared libraries that a Chromium needs and this machine does not have. Empty for a script, and where there is no ldd. */
export async function missingLibraries({ path, env }: Chromium): Promise<string[]> {
  try {
    const { stdout } = await run('ldd', [path], { env: { ...process.env, ...env }, timeout: 10_000 });
    return [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name = '']) => name);
  } catch {
    return [];
  }
}
