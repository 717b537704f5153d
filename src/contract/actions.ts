import { z } from 'zod';
import { KEY_NAMES, parseKey } from '../browser/actions/keys.ts';
import type { Action } from '../browser/actions/types.ts';
import { PAPER_FORMATS } from '../browser/actions/types.ts';
import type { ScreenshotOptions } from '../browser/types.ts';

const selector = z.string().min(1).max(5_000).describe('CSS selector');

/** In CSS pixels: as wide and high as the screens of large workstations. A picture of it has 15 million pixels. */
const MAX_SIDE = 3_840;
const side = z.int().min(1).max(MAX_SIDE);
const viewport = z.strictObject({ width: side, height: side });

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

const KEYS = `A key is one character, or one of ${KEY_NAMES.join(', ')}. "Control+A" holds the first while it presses the second`;

const key = z
  .string()
  .max(100)
  .transform((text, context) => {
    const name = parseKey(text);
    if (name !== undefined) return name;
    context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a key. ${KEYS}.` });
    return z.NEVER;
  })
  .describe(`The key to press. ${KEYS}`);

const steps = {
  wait: z.strictObject({
    type: z.literal('wait'),
    milliseconds: z.int().min(1).optional(),
    selector: selector.optional(),
  }),
  screenshot: z.strictObject({ type: z.literal('screenshot'), ...screenshotFields }),
  click: z.strictObject({
    type: z.literal('click'),
    selector,
    all: z.boolean().default(false).describe('Every element that matches, not only the first one'),
  }),
  write: z.strictObject({ type: z.literal('write'), text: z.string().max(100_000) }),
  press: z.strictObject({ type: z.literal('press'), key }),
  scroll: z.strictObject({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down'),
    selector: selector.optional(),
  }),
  scrape: z.strictObject({ type: z.literal('scrape') }),
  executeJavascript: z.strictObject({
    type: z.literal('executeJavascript'),
    script: z.string().min(1).max(100_000),
  }),
  pdf: z.strictObject({
    type: z.literal('pdf'),
    format: z.enum(PAPER_FORMATS).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  }),
};

const action = z.discriminatedUnion(
  'type',
  [
    steps.wait,
    steps.screenshot,
    steps.click,
    steps.write,
    steps.press,
    steps.scroll,
    steps.scrape,
    steps.executeJavascript,
    steps.pdf,
  ],
  { error: describeBadAction },
);

function describeBadAction({ input }: { input?: unknown }): string {
  const type = typeof input === 'object' && input !== null && 'type' in input ? input.type : undefined;
  // Only a name is quoted: printing a value nested 100,000 deep overflows the stack.
  const given =
    typeof type === 'string'
      ? `${JSON.stringify(type.slice(0, 100))} is not an action`
      : 'An action is an object with a "type"';
  return `${given}. Actions are: ${Object.keys(steps).join(', ')}`;
}

const MAX_ACTIONS = 50;

/** Steps in the browser, in order. */
export const actions = z
  .array(action)
  .max(MAX_ACTIONS, `has too many actions: at most ${MAX_ACTIONS}`)
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

type GivenActions = z.infer<typeof actions>;

export function toActions(given: GivenActions): readonly Action[] {
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
