import type { Page } from 'playwright-core';
import type { MadeFile, ScreenshotOptions } from './types.ts';

/** A picture of the page, or of one element on it. Throws when no element matches. */
export async function takeScreenshot(
  page: Page,
  { fullPage, quality, viewport, selector }: ScreenshotOptions,
): Promise<MadeFile> {
  if (viewport !== undefined) await page.setViewportSize(viewport);
  const format = quality === undefined ? ({ type: 'png' } as const) : ({ type: 'jpeg', quality } as const);
  const bytes =
    selector === undefined
      ? await page.screenshot({ ...format, fullPage })
      : await page.locator(selector).first().screenshot(format);
  return { type: `image/${format.type}`, bytes };
}
