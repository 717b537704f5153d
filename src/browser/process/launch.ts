import type { Browser } from 'playwright-core';
import { TrawlError } from '../../errors.ts';
import { claimChromeVersion } from '../../fetch/browser-headers.ts';
import { IdentityTransport } from '../identity/identity-transport.ts';
import { majorOf } from '../identity/user-agent.ts';
import { browserUser } from './browser-user.ts';
import { type ChromiumProcess, type LaunchMode, startChromium } from './chromium-process.ts';
import { type Chromium, type ChromiumPlaces, howToInstall, listChromiums } from './find-chromium.ts';
import { whySandboxFails } from './sandbox.ts';

/** A Chromium that answers. */
export interface LaunchedChromium {
  browser: Browser;
  process: ChromiumProcess;
  chromium: Chromium;
  mode: LaunchMode;
  /** Why the sandbox is off; undefined when it is on. */
  sandboxOff: string | undefined;
  /** What was tried before and does not run, in one sentence each. */
  failed: readonly string[];
}

/** How long Chromium may take until it answers. On a busy machine, unpacked a moment ago, it took 4 s. */
const START_MS = 30_000;

/**
 * Starts the first Chromium of this machine that runs, with its sandbox wherever that works. A Chromium of the system may be a
 * placeholder, as on Ubuntu: then the next is tried. That of the setting is the only one.
 * @throws TrawlError BROWSER_UNAVAILABLE saying what was tried, why it does not run, and what to do
 */
export async function launchAny(places: ChromiumPlaces): Promise<LaunchedChromium> {
  const failed: string[] = [];
  for (const { name, locate } of await listChromiums(places)) {
    try {
      return { ...(await launchChromium(await locate())), failed };
    } catch (error) {
      failed.push(`${name} does not start: ${reasonOf(error)}`);
    }
  }
  if (places.path !== undefined) {
    throw new TrawlError('BROWSER_UNAVAILABLE', `The Chromium of TRAWL_BROWSER_PATH does not run. ${failed.join(' ')}`);
  }
  const tried = failed.length === 0 ? 'there is none on this machine' : 'none on this machine runs';
  throw new TrawlError(
    'BROWSER_UNAVAILABLE',
    [`This needs a Chromium, and ${tried}.`, howToInstall(), ...failed].join(' '),
  );
}

/** Its version and its file. */
export function nameOf({ browser, chromium }: Pick<LaunchedChromium, 'browser' | 'chromium'>): string {
  return `Chromium ${browser.version()} (${chromium.path})`;
}

/** The safest mode that works: root has the sandbox only as another user, and some machines do not have it at all. */
async function launchChromium(chromium: Chromium): Promise<Omit<LaunchedChromium, 'failed'>> {
  const user = await browserUser();
  const failures: unknown[] = [];
  for (const mode of launchModes(user)) {
    try {
      const launched = await launchIn(chromium, mode);
      const sandboxOff = mode.sandbox ? undefined : await whySandboxFails(failures[0], user);
      return { ...launched, chromium, mode, sandboxOff };
    } catch (error) {
      failures.push(error);
    }
  }
  // What was said last is about Chromium; what was said before may be about the sandbox.
  throw failures.at(-1);
}

function launchModes(user: LaunchMode['user']): LaunchMode[] {
  const own = [
    { user: undefined, sandbox: true },
    { user: undefined, sandbox: false },
  ];
  if (user === undefined) return own;
  return [{ user, sandbox: true }, { user, sandbox: false }, ...own.slice(1)];
}

/** The driver is loaded only now: a service that renders nothing is as small as before. */
async function launchIn(chromium: Chromium, mode: LaunchMode): Promise<{ browser: Browser; process: ChromiumProcess }> {
  const { chromium: driver } = await import('playwright-core');
  const started = await startChromium(chromium, mode);
  const { transport, profile } = started;
  try {
    const identified = new IdentityTransport(transport);
    const options = { artifactsDir: profile, noDefaults: true, timeout: START_MS };
    const browser = await Promise.race([
      driver.connectOverCDP(identified, options),
      transport.closed.then(() => Promise.reject(new Error('It ended.'))),
    ]);
    identified.version = browser.version();
    claimChromeVersion(majorOf(browser.version()));
    return { browser, process: started };
  } catch (cause) {
    const reason = transport.isOpen ? `it does not answer within ${START_MS / 1000} s.` : 'it ends at once.';
    await started.stop();
    throw new Error(lastLine(started.lastWords) ?? reason, { cause });
  }
}

/** The last line that tells more than that something was not logged: `[PID:TIME:FATAL:FILE] WHY` or `PATH: WHY`. */
function lastLine(words: string): string | undefined {
  const lines = words.split('\n').map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim());
  return lines
    .findLast((line) => line !== '' && !/^(#\d+|\[end of stack|Received signal|.*dbus)/i.test(line))
    ?.slice(0, 300);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
