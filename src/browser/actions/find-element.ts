import { setTimeout as wait } from 'node:timers/promises';
import type { ElementHandle, Frame, Page } from 'playwright-core';
import type { Deadline } from '../../deadline.ts';
import type { PageElement } from '../in-page/dom.ts';

export type Element = ElementHandle<PageElement>;

/** How often to look again for a missing element, in milliseconds. */
const POLL_MS = 100;
/** Less than the deadline, so that the caller learns which element is missing. */
const SPARE_MS = 500;

export interface Search {
  /** The longest to look for it, in milliseconds. */
  ms: number;
  deadline: Deadline;
}

/**
 * The first visible element that matches, in the page or one of its frames, also within open shadow roots. Waits for it.
 * @throws Error that says what is missing
 */
export async function findElement(page: Page, selector: string, { ms, deadline }: Search): Promise<Element> {
  const startedAt = performance.now();
  const endsAt = startedAt + Math.min(ms, deadline.remaining - SPARE_MS);
  for (;;) {
    const found = await firstIn(page, visible(selector));
    if (found !== undefined) return found;
    if (performance.now() >= endsAt) break;
    await wait(POLL_MS, undefined, { signal: deadline.signal });
  }
  const waited = `within ${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const quoted = JSON.stringify(selector.slice(0, 200));
  const hidden = await firstIn(page, css(selector));
  if (hidden !== undefined) {
    throw new Error(`${quoted} matches, but nothing that is visible ${waited}. Open what hides it first`);
  }
  throw new Error(
    `no element matches ${quoted} ${waited}. Check the selector against the format "rawHtml" of this scrape, and wait for what shows it`,
  );
}

/** Every element that matches now, in the page and its frames. */
export async function findAll(page: Page, selector: string): Promise<Element[]> {
  const found = await Promise.all(page.frames().map((frame) => inFrame(frame, (one) => one.$$(css(selector)))));
  return found.flatMap((elements) => elements ?? []);
}

async function firstIn(page: Page, selector: string): Promise<Element | undefined> {
  for (const frame of page.frames()) {
    const element = await inFrame(frame, (one) => one.$(selector));
    if (element) return element;
  }
  return undefined;
}

/** Undefined for a frame that goes away meanwhile. */
async function inFrame<T>(frame: Frame, look: (frame: Frame) => Promise<T>): Promise<T | undefined> {
  try {
    return await look(frame);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (/not a valid selector|while parsing|unknown engine|unexpected (?:token|end)/i.test(reason)) {
      throw new Error('the selector is not valid CSS', { cause: error });
    }
    if (frame.page().isClosed()) throw error;
    return undefined;
  }
}

/** The prefix keeps other languages of selectors out. */
const css = (selector: string) => `css=${selector}`;
const visible = (selector: string) => `css=${selector} >> visible=true`;
