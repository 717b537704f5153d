import type { Page } from 'playwright-core';

/** The longest that a page is waited for after its document, in milliseconds: some never come to rest. */
const MOST_MS = 10_000;

/** Resolves when the page is ready: its network is quiet. At the latest after the bound: then the page is taken as it is. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: MOST_MS }).catch(() => {});
}
