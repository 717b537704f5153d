import { readFile } from 'node:fs/promises';

/** An unprivileged user of the system. */
export interface BrowserUser {
  uid: number;
  gid: number;
}

/** The ids of `nobody` on Linux wherever /etc/passwd does not say otherwise. */
const NOBODY = 65_534;

/**
 * The user as whom root runs Chromium, whose sandbox does not work for root. Undefined when this process is not root's: then
 * Chromium runs as the same user.
 */
export async function browserUser(): Promise<BrowserUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? NOBODY), gid: Number(gid ?? NOBODY) };
}
