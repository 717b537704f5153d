import type { Frame, Page } from 'playwright-core';
import { activeElement } from '../in-page/active-element.ts';
import type { OptionElement } from '../in-page/dom.ts';
import { textKind } from '../in-page/text-kind.ts';
import type { Element } from './find-element.ts';

/** Longer texts arrive in one piece: each character takes 2 ms. */
const MOST_TYPED = 500;

/** Writes into the element that has the focus. Throws if none has, or it takes no text. */
export async function write(page: Page, text: string): Promise<void> {
  const element = await focused(page.mainFrame());
  const kind = await element?.evaluate(textKind);
  if (element === undefined || kind === undefined || kind === '<body>' || kind === '<html>') {
    throw new Error(
      'nothing has the focus. Put {"type": "click", "selector": "…"} before it, with the field to write into',
    );
  }
  if (kind.startsWith('<')) {
    throw new Error(`the focus is on ${kind}, which takes no text. Click on the field to write into before`);
  }
  if (kind === 'option') await choose(element, text);
  // The keyboard would type into one part of a date, in the order of the language.
  else if (kind === 'value') await fill(element, text);
  else if (text.length <= MOST_TYPED) await page.keyboard.type(text);
  else await page.keyboard.insertText(text);
}

/** The element with the focus. Each frame has one of its own. */
async function focused(frame: Frame): Promise<Element | undefined> {
  const handle = await frame.evaluateHandle(activeElement);
  const element = handle.asElement() ?? undefined;
  const inner = await element?.contentFrame();
  return inner ? focused(inner) : element;
}

async function fill(element: Element, text: string): Promise<void> {
  await element.fill(text).catch(() => {});
  const isTaken = (await element.inputValue()).toLowerCase() === text.trim().toLowerCase();
  if (isTaken) return;
  throw new Error(
    `the field does not take ${JSON.stringify(text.slice(0, 100))}. Write dates as 2026-12-31, times as 23:59, colours as #ff0000`,
  );
}

async function choose(element: Element, text: string): Promise<void> {
  const options = await element.$$eval('option', (all: (OptionElement & { label: string; value: string })[]) =>
    all.map(({ label, value }) => ({ label: label.trim(), value })),
  );
  const wanted = options.findIndex(({ label, value }) => label === text.trim() || value === text);
  if (wanted < 0) {
    const labels = options.slice(0, 20).map(({ label }) => JSON.stringify(label.slice(0, 50)));
    throw new Error(`the list has no option ${JSON.stringify(text.slice(0, 100))}. It has ${labels.join(', ')}`);
  }
  await element.selectOption({ index: wanted });
}
