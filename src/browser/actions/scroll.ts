import type { Page } from 'playwright-core';
import { scrollBox, scrollPage } from '../in-page/scroll-box.ts';
import { isolatedWorldOf } from '../isolated-world.ts';
import { findElement, type Search } from './find-element.ts';

interface Scroll {
  direction: 'up' | 'down';
  selector: string | undefined;
}

/** Scrolls the page by one screen, or a scrollable element by its visible height. */
export async function scroll(page: Page, { direction, selector }: Scroll, search: Search): Promise<void> {
  if (selector === undefined) {
    const world = await isolatedWorldOf(page);
    await world.run(scrollPage, { direction });
    return;
  }
  const element = await findElement(page, selector, search);
  await element.evaluate(scrollBox, direction);
}
