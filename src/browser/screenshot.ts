import type { Page, PageScreenshotOptions } from 'playwright-core';
import type { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { failureReason } from './actions/failure-reason.ts';
import { findElement } from './actions/find-element.ts';
import { pageSize, scrollTo } from './in-page/page-size.ts';
import { untilDrawn } from './in-page/until-drawn.ts';
import { isolatedWorldOf } from './isolated-world.ts';
import type { MadeFile, ScreenshotOptions } from './types.ts';

/** Chromium draws no more rows: further down it repeats them. */
const MAX_HEIGHT = 16_384;
/** 160 MB while they are drawn: a page of 16,384 rows that is 2,400 wide. */
const MAX_PIXELS = 40_000_000;
/** How long the element is waited for, in milliseconds. */
const ELEMENT_MS = 5_000;

/** How long fonts and pictures are waited for, in milliseconds. */
const DRAWN_MS = 3_000;

/** The format `screenshot`. Throws SCRAPE_ACTION_ERROR when no element matches, or it is too large. */
export async function screenshotOf(page: Page, options: ScreenshotOptions, deadline: Deadline): Promise<MadeFile> {
  try {
    return await takeScreenshot(page, options, deadline);
  } catch (error) {
    deadline.check();
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    const details = { type: 'screenshot', reason };
    throw new TrawlError('SCRAPE_ACTION_ERROR', `The screenshot failed: ${reason}.`, { details, cause: error });
  }
}

/**
 * A picture of the page, or of one element on it.
 * @throws Error when no element matches, or it is too large
 */
export async function takeScreenshot(
  page: Page,
  { fullPage, quality, viewport, selector }: ScreenshotOptions,
  deadline: Deadline,
): Promise<MadeFile> {
  const before = page.viewportSize();
  if (viewport !== undefined) await page.setViewportSize(viewport);
  const world = await isolatedWorldOf(page);
  await world.run(untilDrawn, { fullPage, limitMs: Math.min(DRAWN_MS, deadline.remaining) });
  const format: PageScreenshotOptions = {
    // Animations that end are shown at their end: what fades in is there.
    animations: 'disabled',
    timeout: deadline.remaining,
    ...(quality === undefined ? { type: 'png' } : { type: 'jpeg', quality }),
  };
  const type = `image/${format.type}`;
  try {
    if (selector !== undefined) return { type, bytes: await ofElement(page, selector, format, deadline) };
    if (fullPage) return { type, ...(await ofWholePage(page, format)) };
    return { type, bytes: await page.screenshot(format) };
  } finally {
    if (viewport !== undefined && before !== null) await page.setViewportSize(before).catch(() => {});
  }
}

async function ofElement(
  page: Page,
  selector: string,
  format: PageScreenshotOptions,
  deadline: Deadline,
): Promise<Uint8Array> {
  const element = await findElement(page, selector, { ms: ELEMENT_MS, deadline });
  const box = await element.boundingBox();
  const { scale } = await (await isolatedWorldOf(page)).run(pageSize, {});
  if (box !== null && box.height * scale > mostRows(box.width * scale)) {
    throw new Error(
      `the element is ${Math.ceil(box.height)} pixels high, which is too much for one picture. Name a part of it`,
    );
  }
  return element.screenshot(format);
}

async function ofWholePage(
  page: Page,
  format: PageScreenshotOptions,
): Promise<{ bytes: Uint8Array; warning?: string }> {
  const world = await isolatedWorldOf(page);
  const { width, height, scale, top } = await world.run(pageSize, {});
  // What stands still on the screen, such as a header, is drawn where the page is scrolled to.
  if (top > 0) await world.run(scrollTo, { top: 0 });
  try {
    const most = Math.floor(mostRows(width * scale) / scale);
    if (height <= most) return { bytes: await page.screenshot({ ...format, fullPage: true }) };
    const bytes = await page.screenshot({ ...format, fullPage: true, clip: { x: 0, y: 0, width, height: most } });
    return {
      bytes,
      warning: `The screenshot shows the upper ${most} of ${height} pixels of the page: more is not possible.`,
    };
  } finally {
    if (top > 0) await world.run(scrollTo, { top });
  }
}

function mostRows(width: number): number {
  return Math.min(MAX_HEIGHT, Math.floor(MAX_PIXELS / Math.max(1, width)));
}
