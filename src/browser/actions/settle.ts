import type { Frame, Page, Request } from 'playwright-core';
import type { Deadline } from '../../deadline.ts';
import { untilReady } from '../ready.ts';
import type { Tab, Tabs } from './tabs.ts';

/** A click starts a navigation or opens a tab within this time: 5 ms on an idle machine. */
const GRACE_MS = 50;
/** The longest that a navigation is waited for, in milliseconds. */
const MOST_MS = 30_000;

/** Runs a step, and resolves when the navigation that it starts and the tab that it opens are ready. */
export async function settled<T>(tabs: Tabs, deadline: Deadline, step: () => Promise<T>): Promise<T> {
  const before = tabs.front;
  const navigation = new Navigation(before.page);
  try {
    const result = await step();
    if (!before.page.isClosed()) await before.page.waitForTimeout(GRACE_MS).catch(() => {});
    const after = tabs.front;
    if (after !== before || (await navigation.ended(limit(deadline)))) await ready(after, deadline);
    return result;
  } finally {
    navigation.stop();
  }
}

async function ready({ page, requests }: Tab, deadline: Deadline): Promise<void> {
  if (page.isClosed()) return;
  await untilReady(page, requests, { deadline, pictures: 'none' });
}

function limit({ remaining }: Deadline): number {
  return Math.min(MOST_MS, remaining);
}

/** A navigation of the main frame of a page that begins while this watches, by request or within the document. */
class Navigation {
  readonly #page: Page;
  readonly #ended = Promise.withResolvers<void>();
  #pending: Request | undefined;
  #begun = false;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', this.#onRequest);
    page.on('requestfailed', this.#onFailed);
    page.on('framenavigated', this.#onNavigated);
    page.on('close', this.#onClose);
  }

  /** Whether there was one, when it has ended or the time has passed. */
  async ended(ms: number): Promise<boolean> {
    if (this.#pending !== undefined) {
      const timer = setTimeout(this.#ended.resolve, ms);
      await this.#ended.promise;
      clearTimeout(timer);
    }
    return this.#begun;
  }

  stop(): void {
    this.#page.off('request', this.#onRequest);
    this.#page.off('requestfailed', this.#onFailed);
    this.#page.off('framenavigated', this.#onNavigated);
    this.#page.off('close', this.#onClose);
    this.#ended.resolve();
  }

  readonly #onRequest = (request: Request) => {
    if (!request.isNavigationRequest() || request.frame() !== this.#page.mainFrame()) return;
    this.#begun = true;
    this.#pending = request;
  };

  /** As a download does, or an answer without a document. */
  readonly #onFailed = (request: Request) => {
    if (request === this.#pending) this.#ended.resolve();
  };

  readonly #onNavigated = (frame: Frame) => {
    if (frame !== this.#page.mainFrame()) return;
    this.#begun = true;
    this.#ended.resolve();
  };

  readonly #onClose = () => this.#ended.resolve();
}
