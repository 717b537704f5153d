import type { Frame, Page } from 'playwright-core';
import { isolatedWorldOf } from '../isolated-world.ts';
import { type ConsentRules, consentRules } from './consent-rules.ts';
import { clearBanner } from './in-page/clear-banner.ts';
import { findBanner } from './in-page/find-banner.ts';
import { optOut } from './in-page/opt-out.ts';

/** For each step of an answer to a banner: some have several pages. In milliseconds. */
const LIMIT_MS = 4_000;
/** For a frame: one whose scripts do not end never answers. In milliseconds. */
const FRAME_MS = 10_000;
/** Banners are in one of the first frames. */
const MAX_FRAMES = 8;
const MAX_SELECTORS = 100;

interface Answer {
  /** Whether something was clicked. */
  isClicked: boolean;
  /** Of what the banner shows. */
  selectors: string[];
}

/**
 * Dismisses a cookie banner: declines where the platform is known or a button offers it, and hides what is left. Nothing is ever
 * accepted. Resolves with whether something was clicked, so that the page may change.
 */
export async function dismissBanners(page: Page): Promise<boolean> {
  const world = await isolatedWorldOf(page);
  const rules = await consentRules();
  if (!(await world.run(findBanner, rules.selectors))) return false;
  const answer = await answerBanner(page, rules);
  await world.run(clearBanner, answer.selectors.join(', '));
  return answer.isClicked;
}

/** Answers the banner of the page, or the one in a frame of it. */
async function answerBanner(page: Page, rules: ConsentRules): Promise<Answer> {
  const main = page.mainFrame();
  const answer = await answerIn(main, rules);
  if (answer.isClicked) return answer;
  for (const frame of page.frames().slice(0, MAX_FRAMES)) {
    if (frame === main) continue;
    const inFrame = await answerIn(frame, rules);
    if (inFrame.isClicked) return { ...inFrame, selectors: [...answer.selectors, ...inFrame.selectors] };
  }
  return answer;
}

async function answerIn(frame: Frame, { script, rulesFor }: ConsentRules): Promise<Answer> {
  const own = rulesFor(frame.url(), frame.parentFrame() === null);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FRAME_MS);
  try {
    return readAnswer(await Promise.race([frame.evaluate(`(${optOut})(${script}, ${own}, ${LIMIT_MS})`), late]));
  } catch {
    // The answer led to another document, or the frame is gone with its banner.
    return { isClicked: true, selectors: [] };
  } finally {
    clearTimeout(timer);
  }
}

/** It comes from among the scripts of the page, which can make anything of it. */
function readAnswer(given: unknown): Answer {
  if (typeof given !== 'object' || given === null || !('selectors' in given) || !Array.isArray(given.selectors)) {
    return { isClicked: false, selectors: [] };
  }
  const selectors: unknown[] = given.selectors.slice(0, MAX_SELECTORS);
  return {
    isClicked: 'isClicked' in given && given.isClicked === true,
    selectors: selectors.filter((selector) => typeof selector === 'string'),
  };
}
