import type { BrowserContext, Page } from 'playwright-core';
import { PageRequests } from '../page-requests.ts';

/** Pages that one scrape may have open: a page can open more without end. */
const MOST_TABS = 5;

export interface Tab {
  page: Page;
  requests: PageRequests;
}

/**
 * Follows the tabs of a scrape as a person sees them: a tab that the page opens comes to the front, and when it closes, the one
 * before it does.
 */
export class Tabs implements Disposable {
  readonly #context: BrowserContext;
  readonly #first: Tab;
  readonly #others: Tab[] = [];
  readonly #onPage = (page: Page) => this.#add(page);

  constructor(first: Tab) {
    this.#context = first.page.context();
    this.#first = first;
    this.#context.on('page', this.#onPage);
  }

  /** The tab in front; the first one if all are closed. */
  get front(): Tab {
    return this.#others.findLast(({ page }) => !page.isClosed()) ?? this.#first;
  }

  #add(page: Page): void {
    const isOpen = this.#others.filter((tab) => !tab.page.isClosed()).length + 1;
    if (isOpen < MOST_TABS) this.#others.push({ page, requests: new PageRequests(page) });
    // It fails if the page has closed itself.
    else page.close().catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#context.off('page', this.#onPage);
  }
}
