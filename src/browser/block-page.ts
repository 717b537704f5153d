import type { Page, Response } from 'playwright-core';
import { blockOf } from '../content/block-page.ts';
import { isSparse } from './in-page/is-sparse.ts';
import { isolatedWorldOf } from './isolated-world.ts';
import type { PageRequests } from './page-requests.ts';
import { type ReadyOptions, untilReady } from './ready.ts';
import { serialize } from './serialize.ts';

/** Challenges that pass by themselves do so within 5 s, on a busy machine 8. */
const MOST_MS = 8_000;

interface Options extends ReadyOptions {
  maxPageBytes: number;
  /** The response that the page came with. */
  response: Response;
}

/**
 * The HTML of the block page that the site shows; undefined when it shows its content. Many products only run a script that sets a
 * cookie and loads the page again: that is waited for, at most half of the time that is left.
 */
export async function blockPageOf(page: Page, requests: PageRequests, options: Options): Promise<Buffer | undefined> {
  const { deadline, maxPageBytes, response } = options;
  const endsAt = performance.now() + Math.min(MOST_MS, deadline.remaining / 2);
  for (;;) {
    const document = requests.document ?? response;
    if (document.status() < 400 && !(await (await isolatedWorldOf(page)).run(isSparse, {}))) return undefined;
    const left = Math.max(1, endsAt - performance.now());
    // Registered before the page is looked at: it may change meanwhile.
    const next = page.waitForEvent('domcontentloaded', { timeout: left }).then(
      () => true,
      () => false,
    );
    const body = await serialize(page, maxPageBytes);
    const block = blockOf({ status: document.status(), headers: document.headers(), contentType: 'text/html', body });
    if (block === undefined) return undefined;
    const isScripted = body.includes('<script');
    if (!isScripted || !(await next)) return body;
    await untilReady(page, requests, options);
  }
}
