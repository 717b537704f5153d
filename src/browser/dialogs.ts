import type { BrowserContext, Dialog } from 'playwright-core';
import { TrawlError } from '../errors.ts';

/** Pages that open more dialogs than this open them forever. A form opens one or two. */
const MOST_DIALOGS = 50;

/**
 * Answers the dialogs of every page of a context, which stand still until somebody does: alerts and questions with "OK", prompts
 * with their default, and "leave this page?" with yes. After too many it closes the context: nothing else ends a script that
 * waits for its dialog, also not Runtime.terminateExecution (Chromium 156).
 */
export class Dialogs {
  #count = 0;

  constructor(context: BrowserContext) {
    context.on('dialog', (dialog) => {
      this.#count += 1;
      // Both fail if the page closes meanwhile.
      if (this.#count <= MOST_DIALOGS) accept(dialog).catch(() => {});
      else context.close().catch(() => {});
    });
  }

  /** Why the context was closed, if it was. */
  get failure(): TrawlError | undefined {
    if (this.#count <= MOST_DIALOGS) return undefined;
    return new TrawlError(
      'SCRAPE_BAD_RESPONSE',
      `The page opened more than ${MOST_DIALOGS} dialogs (alert, confirm or prompt), so that a browser cannot read it.`,
    );
  }
}

function accept(dialog: Dialog): Promise<void> {
  return dialog.accept(dialog.type() === 'prompt' ? dialog.defaultValue() : undefined);
}
