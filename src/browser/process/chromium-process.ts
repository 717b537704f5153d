import { type ChildProcess, spawn } from 'node:child_process';
import { chown, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserUser } from './browser-user.ts';
import { type Cleaner, startCleaner } from './cleaner.ts';
import type { Chromium } from './find-chromium.ts';
import { chromiumFlags } from './flags.ts';
import { makeOwnedFolder } from './owned-folder.ts';
import { PipeTransport } from './pipe-transport.ts';

/** How Chromium is run. */
export interface LaunchMode {
  /** Undefined: as the user of this process. */
  user: BrowserUser | undefined;
  sandbox: boolean;
}

/** Begins the names of profile folders in the temporary folder. */
export const PROFILE = 'trawl-browser-';
/** What is kept of the last words of Chromium, in characters. */
const LAST_WORDS = 4_000;
/**
 * How long it may take to end by itself, in milliseconds. Then it has waited for its processes, which in a container without an
 * init process would otherwise remain as zombies.
 */
const GRACE_MS = 1_000;
/** In a container, /dev/shm often has 64 MB, and a page that needs more crashes. */
const LEAST_SHARED_BYTES = 512_000_000;

/**
 * A running Chromium with a profile folder of its own. It is the leader of a process group that all its processes belong to, and
 * ends when the pipe to this process does. Whatever happens to either, neither processes nor the folder are left.
 */
export class ChromiumProcess {
  readonly transport: PipeTransport;
  readonly profile: string;
  /** Resolves when the main process is gone. */
  readonly exited: Promise<void>;
  readonly #cleaner: Cleaner;
  readonly pid: number;
  #lastWords = '';
  #cleaning: Promise<void> | undefined;

  constructor(child: ChildProcess, pid: number, profile: string, user: BrowserUser | undefined) {
    const [, , , toChromium, fromChromium] = child.stdio;
    if (!(toChromium instanceof Writable && fromChromium instanceof Readable))
      throw new Error('Chromium has no pipes.');
    this.pid = pid;
    this.profile = profile;
    this.#cleaner = startCleaner(pid, profile, user);
    this.transport = new PipeTransport(toChromium, fromChromium);
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    void this.exited.then(() => this.stop());
  }

  /** The last lines that Chromium wrote on its standard error. */
  get lastWords(): string {
    return this.#lastWords;
  }

  /** Ends all its processes, and removes the folder. */
  stop(): Promise<void> {
    this.#cleaning ??= this.#stop();
    return this.#cleaning;
  }

  async #stop(): Promise<void> {
    this.transport.close();
    await Promise.race([this.exited, pause(GRACE_MS)]);
    killGroup(this.pid);
    await this.exited;
    // Processes that are dying may still write: ENOTEMPTY is tried again.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10 });
    this.#cleaner.dismiss();
  }
}

/** Starts Chromium. Throws the error of the system when that cannot be done. */
export async function startChromium({ path, env }: Chromium, { user, sandbox }: LaunchMode): Promise<ChromiumProcess> {
  const profile = await makeOwnedFolder(tmpdir(), PROFILE);
  try {
    if (user !== undefined) await chown(profile, user.uid, user.gid);
    const flags = chromiumFlags({ profile, sandbox, hasSharedMemory: await hasSharedMemory() });
    const child = spawn(path, flags, {
      ...user,
      cwd: '/',
      env: { ...chromiumEnvironment(profile), ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return new ChromiumProcess(child, child.pid ?? 0, profile, user);
  } catch (error) {
    await rm(profile, { recursive: true, force: true });
    throw error;
  }
}

/** Nothing of the environment of the service, which holds secrets. Whatever Chromium writes is below its profile. */
function chromiumEnvironment(profile: string): NodeJS.ProcessEnv {
  const { PATH, LANG, LC_ALL, TZ, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH } = process.env;
  const kept = { PATH, LANG, LC_ALL, TZ, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH };
  return {
    ...kept,
    HOME: profile,
    TMPDIR: profile,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
  };
}

async function hasSharedMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs('/dev/shm');
    return bavail * bsize >= LEAST_SHARED_BYTES;
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
