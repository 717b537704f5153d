import { spawn } from 'node:child_process';
import type { BrowserUser } from './browser-user.ts';

/**
 * Reads a line, and ends with it. When there is none to come, the service is gone without having cleaned up: kills the
 * processes of Chromium and removes the folder. A process that is dying may still write to the folder, hence the repetitions.
 */
const SCRIPT = `
read -r _ && exit
kill -s KILL -- "-$1"
for _ in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$2" && exit; sleep 1; done
`;

export interface Cleaner {
  /** Chromium is gone and cleaned up after: nothing is left to do. */
  dismiss(): void;
}

/**
 * Starts a shell that outlives this process and cleans up when it was killed. It takes a megabyte.
 * @param group the process group of Chromium
 */
export function startCleaner(group: number, folder: string, user: BrowserUser | undefined): Cleaner {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'trawl-browser-cleaner', String(group), folder], {
    ...user,
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the next start of a browser removes the folder.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return { dismiss: () => void shell.stdin.end('done\n') };
}
