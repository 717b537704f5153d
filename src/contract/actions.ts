import { z } from 'zod';
import type { Action } from '../browser/actions/types.ts';
import { PAPER_FORMATS } from '../browser/actions/types.ts';
import type { ScreenshotOptions } from '../browser/types.ts';

const selector = z.string().min(1).max(5_000).describe('CSS selector');

const viewport = z.strictObject({
  width: z.int().min(1).max(7_680),
  height: z.int().min(1).max(7_680),
});

/** The options of a screenshot, as a format and as an action. */
export const screenshotFields = {
  fullPage: z.boolean().optional().describe('The whole page instead of the visible part'),
  quality: z.int().min(1).max(100).optional().describe('Quality of a JPEG; without it the picture is a PNG'),
  viewport: viewport.optional().describe('Size of the window in CSS pixels'),
  selector: selector.optional().describe('Only the first element that matches'),
};

const screenshot = z.object(screenshotFields);

export function toScreenshot(given: z.infer<typeof screenshot>): ScreenshotOptions {
  const { fullPage = false, quality, viewport: size, selector: element } = given;
  return { fullPage, quality, viewport: size, selector: element };
}

const action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('wait'),
    milliseconds: z.int().min(1).max(300_000).optional(),
    selector: selector.optional(),
  }),
  z.strictObject({ type: z.literal('screenshot'), ...screenshotFields }),
  z.strictObject({ type: z.literal('click'), selector, all: z.boolean().default(false) }),
  z.strictObject({ type: z.literal('write'), text: z.string().max(100_000) }),
  z.strictObject({ type: z.literal('press'), key: z.string().min(1).max(100) }),
  z.strictObject({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down'),
    selector: selector.optional(),
  }),
  z.strictObject({ type: z.literal('scrape') }),
  z.strictObject({ type: z.literal('executeJavascript'), script: z.string().min(1).max(1_000_000) }),
  z.strictObject({
    type: z.literal('pdf'),
    format: z.enum(PAPER_FORMATS).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  }),
]);

const MOST_ACTIONS = 50;

/** Steps in the browser, in order. */
export const actions = z
  .array(action)
  .max(MOST_ACTIONS)
  .superRefine((given, context) => {
    for (const [index, one] of given.entries()) {
      if (one.type !== 'wait' || (one.milliseconds === undefined) !== (one.selector === undefined)) continue;
      context.addIssue({
        code: 'custom',
        path: [index],
        message: 'A "wait" takes either "milliseconds" or "selector"',
      });
    }
  })
  .optional()
  .describe('Steps to take in a browser, in order');

export function toActions(given: z.infer<typeof actions>): readonly Action[] {
  return (given ?? []).map(toAction);
}

function toAction(given: z.infer<typeof action>): Action {
  if (given.type === 'screenshot') return { type: 'screenshot', ...toScreenshot(given) };
  if (given.type === 'scroll') return { ...given, selector: given.selector };
  if (given.type !== 'wait') return given;
  return given.selector === undefined
    ? { type: 'wait', milliseconds: given.milliseconds ?? 0 }
    : { type: 'wait', selector: given.selector };
}
