import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Deadline } from '../../deadline.ts';
import { TrawlError } from '../../errors.ts';
import { takeScreenshot } from '../screenshot.ts';
import { serialize } from '../serialize.ts';
import { clickAll, clickFirst } from './click.ts';
import { failureReason } from './failure-reason.ts';
import { findElement } from './find-element.ts';
import { checkResultLimits } from './result-limits.ts';
import { runScript } from './run-script.ts';
import { scroll } from './scroll.ts';
import { settled } from './settle.ts';
import type { Tabs } from './tabs.ts';
import type { Action, ActionResults } from './types.ts';
import { write } from './write.ts';

export interface ActionContext {
  tabs: Tabs;
  deadline: Deadline;
  maxPageBytes: number;
}

/** Runs the actions in order. Throws SCRAPE_ACTION_ERROR with the index, the type and the reason of the one that fails. */
export async function runActions(actions: readonly Action[], context: ActionContext): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  for (const [index, action] of actions.entries()) {
    context.deadline.check();
    try {
      await runAction(action, context, results);
      checkResultLimits(results);
    } catch (error) {
      context.deadline.check();
      throw actionError(error, { index, type: action.type });
    }
  }
  return results;
}

function actionError(error: unknown, at: { index: number; type: Action['type'] }): unknown {
  const reason = failureReason(error);
  if (reason === undefined) return error;
  const message = `Action ${at.index} ("${at.type}") failed: ${reason}.`;
  return new TrawlError('SCRAPE_ACTION_ERROR', message, { details: { ...at, reason }, cause: error });
}

/** The longest that an element is waited for by an action that needs it, and by "wait" itself, in milliseconds. */
const ELEMENT_MS = 5_000;
const WAIT_MS = 30_000;

async function runAction(action: Action, context: ActionContext, results: ActionResults): Promise<void> {
  const { tabs, deadline, maxPageBytes } = context;
  const { page } = tabs.front;
  const search = { ms: ELEMENT_MS, deadline };
  switch (action.type) {
    case 'wait':
      if ('selector' in action) await findElement(page, action.selector, { ms: WAIT_MS, deadline });
      else await wait(action.milliseconds, undefined, { signal: deadline.signal });
      return;
    case 'screenshot':
      results.screenshots.push(await takeScreenshot(page, action, deadline));
      return;
    case 'click':
      await settled(tabs, deadline, () => (action.all ? clickAll : clickFirst)(page, action.selector, search));
      return;
    case 'write':
      await settled(tabs, deadline, () => write(page, action.text));
      return;
    case 'press':
      await settled(tabs, deadline, () => press(page, action.key));
      return;
    case 'scroll':
      await settled(tabs, deadline, () => scroll(page, action, search));
      return;
    case 'scrape':
      results.scrapes.push({ url: page.url(), html: `${await serialize(page, maxPageBytes)}` });
      return;
    case 'executeJavascript':
      results.javascriptReturns.push(await settled(tabs, deadline, () => runScript(page, action.script)));
      return;
    case 'pdf': {
      const { format, landscape, scale } = action;
      const bytes = await page.pdf({ format, landscape, scale, printBackground: true });
      results.pdfs.push({ type: 'application/pdf', bytes });
    }
  }
}

/** A keyboard has no key for most letters of the world. */
function press(page: Page, key: string): Promise<void> {
  return /^[\x21-\x7e]+$/.test(key) ? page.keyboard.press(key) : page.keyboard.insertText(key);
}
