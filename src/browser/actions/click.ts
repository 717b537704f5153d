import type { Page } from 'playwright-core';
import { type Element, findAll, findElement, type Search } from './find-element.ts';

/** How long an element may move, be disabled or be covered before it is clicked, in milliseconds. */
const USABLE_MS = 3_000;
/** The same for each one of many. */
const USABLE_EACH_MS = 500;
/** Elements that one action clicks: each takes about 40 ms. */
const MOST_CLICKS = 200;

/** Clicks the first visible element that matches. Throws if there is none, or it stays disabled. */
export async function clickFirst(page: Page, selector: string, search: Search): Promise<void> {
  const element = await findElement(page, selector, search);
  const clicked = await click(element, USABLE_MS);
  // A page that draws itself anew replaced the element meanwhile: the new one is clicked.
  if (!clicked) await click(await findElement(page, selector, search), USABLE_MS);
}

/** Clicks every element that matches and is visible. Those that vanish meanwhile are skipped. Throws if there is none. */
export async function clickAll(page: Page, selector: string, search: Search): Promise<void> {
  await findElement(page, selector, search);
  const elements = await findAll(page, selector);
  if (elements.length > MOST_CLICKS) {
    throw new Error(`${elements.length} elements match; one action clicks at most ${MOST_CLICKS}. Narrow the selector`);
  }
  for (const element of elements) {
    search.deadline.check();
    if (await isVisible(element)) await click(element, USABLE_EACH_MS);
  }
}

async function isVisible(element: Element): Promise<boolean> {
  return element.isVisible().catch(() => false);
}

/** Returns false if the element has left the page. */
async function click(element: Element, ms: number): Promise<boolean> {
  try {
    await element.click({ timeout: ms });
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (/not attached|context was destroyed|frame was detached/i.test(reason)) return false;
    if (/not enabled/i.test(reason))
      throw new Error(`the element was disabled for ${ms / 1000} s. Fill in what it waits for`);
    if (!/intercepts pointer events|not stable|outside of the viewport/i.test(reason)) throw error;
    // Something covers the element, as banners do, or it never comes to rest: the page gets the event all the same.
    await element.dispatchEvent('click');
    return true;
  }
}
