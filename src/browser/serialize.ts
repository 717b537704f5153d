import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { elementsWithoutShadow } from './in-page/elements-without-shadow.ts';
import { serializeDocument } from './in-page/serialize-document.ts';
import { isolatedWorldOf } from './isolated-world.ts';

const MB = 1024 * 1024;

/**
 * The HTML of the page as it is shown: with shadow roots in declarative form, the content of its frames of the same origin, and
 * what fields hold; without `<noscript>`.
 * @param maxBytes TRAWL_MAX_PAGE_MB
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE
 */
export async function serialize(page: Page, maxBytes: number): Promise<Buffer> {
  const world = await isolatedWorldOf(page);
  const options = { limit: maxBytes, token: randomUUID() };
  let { html, mayHaveClosed } = await world.run(serializeDocument, options);
  if (mayHaveClosed) {
    const closed = await world.closedShadowRoots(elementsWithoutShadow);
    if (closed.length > 0) ({ html } = await world.call(serializeDocument, options, closed));
  }
  const body = html === null ? undefined : Buffer.from(html);
  if (body !== undefined && body.byteLength <= maxBytes) return body;
  throw new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    `The rendered page has more than ${maxBytes / MB} MB of HTML. Raise TRAWL_MAX_PAGE_MB to read it.`,
  );
}
