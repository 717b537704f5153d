import type { Page } from 'playwright-core';
import { TrawlError } from '../../errors.ts';
import { takeScreenshot } from '../screenshot.ts';
import { serialize } from '../serialize.ts';
import type { Action, ActionResults } from './types.ts';

/** Runs the actions in order. Throws SCRAPE_ACTION_ERROR with the index and the reason of the one that fails. */
export async function runActions(page: Page, actions: readonly Action[], maxPageBytes: number): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  for (const [index, action] of actions.entries()) {
    try {
      await runAction(page, action, results, maxPageBytes);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new TrawlError('SCRAPE_ACTION_ERROR', `Action ${index} ("${action.type}") failed: ${reason}`, {
        details: { index, type: action.type },
        cause: error,
      });
    }
  }
  return results;
}

/** The longest wait for an element of one action, in milliseconds. */
const ELEMENT_MS = 5_000;

async function runAction(page: Page, action: Action, results: ActionResults, maxPageBytes: number): Promise<void> {
  switch (action.type) {
    case 'wait':
      if ('selector' in action) await page.waitForSelector(action.selector);
      else await page.waitForTimeout(action.milliseconds);
      return;
    case 'screenshot':
      results.screenshots.push(await takeScreenshot(page, action));
      return;
    case 'click':
      await click(page, action);
      return;
    case 'write':
      await page.keyboard.type(action.text);
      return;
    case 'press':
      await page.keyboard.press(action.key);
      return;
    case 'scroll':
      await scroll(page, action);
      return;
    case 'scrape':
      results.scrapes.push({ url: page.url(), html: `${await serialize(page, maxPageBytes)}` });
      return;
    case 'executeJavascript':
      results.javascriptReturns.push(await evaluate(page, action.script));
      return;
    case 'pdf': {
      const { format, landscape, scale } = action;
      results.pdfs.push({ type: 'application/pdf', bytes: await page.pdf({ format, landscape, scale }) });
    }
  }
}

async function click(page: Page, { selector, all }: { selector: string; all: boolean }): Promise<void> {
  if (!all) {
    await page.locator(selector).first().click({ timeout: ELEMENT_MS });
    return;
  }
  for (const element of await page.locator(selector).all()) await element.click({ timeout: ELEMENT_MS });
}

async function scroll(
  page: Page,
  { direction, selector }: { direction: 'up' | 'down'; selector: string | undefined },
): Promise<void> {
  if (selector !== undefined) {
    await page.locator(selector).first().scrollIntoViewIfNeeded({ timeout: ELEMENT_MS });
    return;
  }
  await page.evaluate(`window.scrollBy(0, ${direction === 'down' ? '' : '-'}window.innerHeight)`);
}

async function evaluate(page: Page, script: string): Promise<{ type: string; value: unknown }> {
  const value: unknown = await page.evaluate(script);
  return { type: value === null ? 'null' : typeof value, value };
}
