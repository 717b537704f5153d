import type { BrowserContext, Page } from 'playwright-core';
import { TrawlError } from '../errors.ts';

type StorageState = Exclude<Parameters<BrowserContext['setStorageState']>[0], string>;

/** Each origin is visited to read and to restore its storage, and can have 10 MB of localStorage. */
const MAX_ORIGINS = 30;
/** Of IndexedDB in all origins, as Chromium stores it: more is not read into the memory of the service. */
const MAX_DATABASE_BYTES = 20_000_000;

/** Puts a state into a context without pages. Removes all cookies first. */
export async function restoreState(context: BrowserContext, state: string): Promise<void> {
  await context.setStorageState(parse(state));
}

/** The cookies, localStorage and IndexedDB of a context. It has to be made before the first page. */
export class ProfileState {
  readonly #context: BrowserContext;
  readonly #origins: Set<string>;

  /** @param state that the context started from */
  constructor(context: BrowserContext, state: string | undefined) {
    this.#context = context;
    this.#origins = new Set(state === undefined ? [] : parse(state).origins.map(({ origin }) => origin));
    context.on('page', (page) => page.on('framenavigated', (frame) => this.#add(frame.url())));
  }

  /**
   * The state as JSON.
   * @param page any open page of the context
   * @throws TrawlError SCRAPE_PAGE_TOO_LARGE
   */
  async read(page: Page): Promise<string> {
    if (this.#origins.size > MAX_ORIGINS) throw tooLarge(`this page has frames of more than ${MAX_ORIGINS} origins`);
    const session = await this.#context.newCDPSession(page);
    let bytes = 0;
    for (const origin of this.#origins) {
      const { usageBreakdown } = await session.send('Storage.getUsageAndQuota', { origin });
      bytes += usageBreakdown.find(({ storageType }) => storageType === 'indexeddb')?.usage ?? 0;
    }
    if (bytes > MAX_DATABASE_BYTES) throw tooLarge(`IndexedDB has ${Math.round(bytes / 1_000_000)} MB`);
    return JSON.stringify(await this.#context.storageState({ indexedDB: true }));
  }

  #add(url: string): void {
    const origin = URL.parse(url)?.origin ?? 'null';
    if (origin !== 'null' && this.#origins.size <= MAX_ORIGINS) this.#origins.add(origin);
  }
}

function parse(state: string): StorageState {
  return JSON.parse(state);
}

function tooLarge(what: string): TrawlError {
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    `The profile cannot be saved: ${what}, and a profile may take 5 MB. It stays as it was. Set "saveChanges": false to scrape the page.`,
  );
}
