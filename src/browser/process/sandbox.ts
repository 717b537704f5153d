import { readFile } from 'node:fs/promises';
import type { BrowserUser } from './browser-user.ts';

/** Settings of the kernel that keep unprivileged users from making namespaces, which the sandbox is made of. */
const OBSTACLES: readonly { file: string; value: string; remedy: string }[] = [
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    value: '1',
    remedy:
      'AppArmor forbids user namespaces: set kernel.apparmor_restrict_unprivileged_userns=0 with sysctl, or write a profile for this Chromium',
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    value: '0',
    remedy: 'the kernel forbids user namespaces: set kernel.unprivileged_userns_clone=1 with sysctl',
  },
  {
    file: '/proc/sys/user/max_user_namespaces',
    value: '0',
    remedy: 'the kernel forbids user namespaces: set user.max_user_namespaces=10000 with sysctl',
  },
];

/** Why Chromium's sandbox does not work here, and what would help. */
export async function whySandboxFails(failure: unknown, user: BrowserUser | undefined): Promise<string> {
  for (const { file, value, remedy } of OBSTACLES) {
    const current = await readFile(file, 'utf8').catch(() => '');
    if (current.trim() === value) return remedy;
  }
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  if (user !== undefined && code === 'EACCES') {
    return `root has no sandbox, and the user ${user.uid} may not run this Chromium: move it to a folder that every user may read`;
  }
  if (user !== undefined && (code === 'EPERM' || code === 'EINVAL')) {
    return 'root has no sandbox, and may not become another user here: run Trawl as an unprivileged user';
  }
  const said = failure instanceof Error ? ` (Chromium says: ${failure.message})` : '';
  return `this machine or container lets nobody make user namespaces: with Docker, use a seccomp profile that allows clone and unshare${said}`;
}
