import type { Page } from 'playwright-core';

/** The HTML of the page as it is now. */
export function serialize(page: Page): Promise<string> {
  return page.content();
}
