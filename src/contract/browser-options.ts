import type { z } from 'zod';

/** Bounds that concern several of the options together. */

/** For `waitFor` and every "wait" of the actions together, in milliseconds: a page that waits holds a browser slot. */
const MAX_WAIT_MS = 60_000;
/** For the screenshots, PDFs and recordings of one page together. */
const MAX_FILES = 50;

interface BrowserOptions {
  formats?: readonly (string | { type: string })[] | undefined;
  waitFor: number;
  timeout: number;
  actions?: readonly { type: string; milliseconds?: number | undefined }[] | undefined;
  zeroDataRetention?: boolean;
  profile?: { saveChanges: boolean } | undefined;
  lockdown?: boolean;
  minAge?: number | undefined;
}

/** Refines a body with the options of a page. */
export function checkBrowserOptions(body: BrowserOptions, context: z.RefinementCtx): void {
  checkWaits(body, context);
  checkFiles(body, context);
  checkProfile(body, context);
  if (body.zeroDataRetention === true) checkKeepsNothing(body, context);
}

function checkWaits({ waitFor, timeout, actions = [] }: BrowserOptions, context: z.RefinementCtx): void {
  const total = actions.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, waitFor);
  const limit = Math.min(MAX_WAIT_MS, timeout);
  if (total <= limit) return;
  const path = waitFor > limit ? 'waitFor' : 'actions';
  const why = limit < MAX_WAIT_MS ? 'the "timeout" of this request' : 'the most that a page may wait';
  const message = `"waitFor" and the "wait" actions add up to ${total} ms. At most ${limit} ms are possible, ${why}`;
  context.addIssue({ code: 'custom', path: [path], message });
}

function checkFiles(body: BrowserOptions, context: z.RefinementCtx): void {
  const count = filesOf(body).length;
  if (count <= MAX_FILES) return;
  const message = `make ${count} files together with the formats; at most ${MAX_FILES}`;
  context.addIssue({ code: 'custom', path: ['actions'], message });
}

function checkProfile(
  { profile, zeroDataRetention, lockdown, minAge }: BrowserOptions,
  context: z.RefinementCtx,
): void {
  if (profile === undefined) return;
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['profile'], message });
  if (zeroDataRetention === true && profile.saveChanges) {
    refuse('cannot be saved with "zeroDataRetention". Set its "saveChanges" to false to only read it');
  }
  if (lockdown === true || minAge !== undefined) {
    refuse('needs a browser, and "lockdown" and "minAge" serve only from the cache. Leave one of them out');
  }
}

/**
 * Refuses to save a profile from the pages of a job: many at the same time would overwrite each other's changes.
 * @param at where the options are, starting at the checked body
 */
export function checkSavesNoProfile(
  { profile }: Pick<BrowserOptions, 'profile'>,
  context: z.RefinementCtx,
  at: readonly string[] = [],
): void {
  if (profile?.saveChanges !== true) return;
  const message =
    'would be overwritten by each page, because many are scraped at the same time. Set "saveChanges": false to only read the profile';
  context.addIssue({ code: 'custom', path: [...at, 'profile', 'saveChanges'], message });
}

/**
 * Refuses files under zero data retention: they would have to be stored to be downloaded.
 * @param at where the options are, starting at the checked body
 */
export function checkKeepsNothing(
  body: Pick<BrowserOptions, 'formats' | 'actions'>,
  context: z.RefinementCtx,
  at: readonly string[] = [],
): void {
  for (const { path, name } of filesOf(body)) {
    const message = `"zeroDataRetention" keeps no files, so that a ${name} could not be downloaded. Leave one of them out`;
    context.addIssue({ code: 'custom', path: [...at, ...path], message });
  }
}

const FILE_FORMATS = new Set(['screenshot', 'audio', 'video']);

/** Every screenshot, PDF and recording that the options ask for. */
function filesOf({ formats = [], actions = [] }: Pick<BrowserOptions, 'formats' | 'actions'>) {
  const ofFormats = formats.flatMap((format, index) => {
    const name = typeof format === 'string' ? format : format.type;
    const kind = name.startsWith('screenshot') ? 'screenshot' : name;
    return FILE_FORMATS.has(kind) ? [{ path: ['formats', index], name: kind }] : [];
  });
  const ofActions = actions.flatMap(({ type }, index) =>
    type === 'screenshot' || type === 'pdf' ? [{ path: ['actions', index], name: type }] : [],
  );
  return [...ofFormats, ...ofActions];
}
