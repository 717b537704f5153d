import { tmpdir } from 'node:os';
import { TrawlError } from '../../errors.ts';
import { loadOnce } from '../../load-once.ts';
import { browserUser } from '../process/browser-user.ts';
import { PROFILE } from '../process/chromium-process.ts';
import type { ChromiumPlaces } from '../process/find-chromium.ts';
import { type LaunchedChromium, launchAny } from '../process/launch.ts';
import { sweepFolders } from '../process/owned-folder.ts';
import type { BrowserLimits } from './browser-limits.ts';
import { type EndReason, RunningBrowser } from './running-browser.ts';

/** What the pool tells its operator. */
export interface BrowserReports {
  /** The first start of this process, and the first that is different. */
  started(launched: LaunchedChromium): void;
  ended(reason: EndReason, lastWords: string): void;
}

/** A page that allocates as fast as it can takes 1 to 2 GB in a second. */
const CHECK_MS = 500;

/** Starts a Chromium with the first page that needs it, and another when that is retired or gone. */
export class BrowserPool {
  readonly #places: ChromiumPlaces;
  readonly #limits: BrowserLimits;
  readonly #reports: BrowserReports;
  readonly #browsers = new Set<RunningBrowser>();
  readonly #sweep = loadOnce(sweepProfiles);
  #starting: Promise<RunningBrowser> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(places: ChromiumPlaces, limits: BrowserLimits, reports: BrowserReports) {
    this.#places = places;
    this.#limits = limits;
    this.#reports = reports;
  }

  /** Memory of all its processes when it was last measured, in bytes. */
  get bytes(): number {
    return [...this.#browsers].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get running(): RunningBrowser | undefined {
    return [...this.#browsers].at(-1);
  }

  /** The Chromium that runs, or the one that starts now. Throws BROWSER_UNAVAILABLE. */
  async get(): Promise<RunningBrowser> {
    if (this.#isClosed) throw new TrawlError('SHUTTING_DOWN', 'The service is shutting down.');
    for (const browser of this.#browsers) if (browser.isFresh) return browser;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<RunningBrowser> {
    await this.#sweep();
    const launched = await launchAny(this.#places);
    const running: RunningBrowser = new RunningBrowser(launched, (reason) => {
      this.#browsers.delete(running);
      if (this.#browsers.size === 0) clearInterval(this.#watch);
      this.#reports.ended(reason, launched.process.lastWords);
    });
    if (this.#isClosed) await running.stop('shutdown');
    else this.#add(running);
    return running;
  }

  #add(running: RunningBrowser): void {
    if (this.#browsers.size === 0) this.#watch = setInterval(() => void this.#check(), CHECK_MS).unref();
    this.#browsers.add(running);
    this.#reports.started(running.launched);
  }

  #check = async (): Promise<void> => {
    for (const browser of this.#browsers) await browser.check(this.#limits);
  };

  /** Ends every Chromium, with the pages that are open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => undefined);
    await Promise.all([...this.#browsers].map((browser) => browser.stop('shutdown')));
  }
}

/** Removes what is left of a machine that went down, or of processes that were killed together with their cleaner. */
async function sweepProfiles(): Promise<void> {
  const owners = [process.getuid?.() ?? 0, (await browserUser())?.uid ?? -1];
  // Somebody else may be removing it at the same time.
  await sweepFolders(tmpdir(), PROFILE, owners).catch(() => {});
}
