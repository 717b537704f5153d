import type { Page } from 'playwright-core';
import type { Deadline } from '../deadline.ts';
import { scrollThrough } from './in-page/scroll-through.ts';
import { untilDrawn } from './in-page/until-drawn.ts';
import { type Settled, untilSettled } from './in-page/until-settled.ts';
import { type IsolatedWorld, isolatedWorldOf } from './isolated-world.ts';
import type { PageRequests } from './page-requests.ts';

/** The longest that a page is waited for, in milliseconds: some never come to rest. */
const MOST_MS = 10_000;
/** What is left of the time of a request for reading the page. */
const MARGIN_MS = 1_500;
/**
 * Nothing changes for this long in a page that is ready. Scripts act on what arrives within a few milliseconds; the rest is for
 * a busy machine and for timers that wait for typing to end.
 */
const QUIET_MS = 250;
/** The same for a page that came with its text and has not changed since. */
const STILL_MS = 150;
/** The same for a page in which something is missing or loading. */
const UNFINISHED_MS = 2_000;
/** A request that takes longer is a long poll, unless the page is waiting for it. */
const PATIENCE_MS = 3_000;
/** Enough for 20 screens of most pages. */
const SCROLL_MS = 1_000;
/** Lists that load more whenever their end is seen are followed so often. */
const MAX_SCROLLS = 3;

export interface ReadyOptions {
  deadline: Deadline;
  /** Whether a picture is taken of it, and of all of it. Fonts and pictures are waited for only then. */
  pictures: 'none' | 'screen' | 'page';
}

/**
 * Resolves when the page is ready: nothing that brings content is in flight, and its text has stopped changing, also after its
 * lower parts were scrolled to. At the latest after 10 s, or shortly before the deadline: then the page is taken as it is.
 */
export async function untilReady(
  page: Page,
  requests: PageRequests,
  { deadline, pictures }: ReadyOptions,
): Promise<void> {
  const endsAt = performance.now() + Math.min(MOST_MS, Math.max(0, deadline.remaining - MARGIN_MS));
  const time = () => endsAt - performance.now();
  const world = await isolatedWorldOf(page);
  let settled = await untilQuiet(world, requests, time);
  for (let scrolls = 0; settled.isTall && scrolls < MAX_SCROLLS && time() > 0; scrolls++) {
    const isChanged = await within(time(), world.run(scrollThrough, { limitMs: Math.min(SCROLL_MS, time()) }), false);
    if (!isChanged && !requests.isBusy(PATIENCE_MS)) break;
    settled = await untilQuiet(world, requests, time);
  }
  if (pictures !== 'none' && time() > 0) {
    const limitMs = Math.min(PATIENCE_MS, time());
    await within(time(), world.run(untilDrawn, { fullPage: pictures === 'page', limitMs }), undefined);
  }
  deadline.check();
}

async function untilQuiet(world: IsolatedWorld, requests: PageRequests, time: () => number): Promise<Settled> {
  for (;;) {
    const options = { quietMs: QUIET_MS, stillMs: STILL_MS, unfinishedMs: UNFINISHED_MS, limitMs: time() };
    const settled = await within(time(), world.run(untilSettled, options), UNKNOWN);
    const patience = settled.isUnfinished ? MOST_MS : PATIENCE_MS;
    if (!requests.isBusy(patience) || time() <= 0) return settled;
    while (requests.isBusy(patience) && time() > 0) await requests.untilChange(Math.min(time(), 100));
  }
}

const UNKNOWN: Settled = { isUnfinished: true, isTall: false };

/** What comes within this time. A page whose scripts do not end answers nothing. */
async function within<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), Math.max(0, ms));
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
