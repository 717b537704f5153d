import type { BrowserContext, Response } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { runActions } from './actions/run-actions.ts';
import { readBranding } from './branding/read-branding.ts';
import { dismissBanners } from './consent/dismiss-banners.ts';
import { PageRequests } from './page-requests.ts';
import { type ReadyOptions, untilReady } from './ready.ts';
import { takeScreenshot } from './screenshot.ts';
import { serialize } from './serialize.ts';
import type { Rendered, RenderedPage, RenderRequest } from './types.ts';

/** Loads the page in a context of its own, and makes there what the request asks for. */
export async function renderInContext(
  context: BrowserContext,
  request: RenderRequest,
  { proxyUsed, maxPageBytes }: { proxyUsed: RenderedPage['proxyUsed']; maxPageBytes: number },
): Promise<RenderedPage> {
  const page = await context.newPage();
  const requests = new PageRequests(page);
  const { url, deadline } = request;
  // A document that never ends is ready at some time, too.
  const response = await page.goto(url, { waitUntil: 'commit', timeout: deadline.remaining });
  if (response === null) throw new TrawlError('SCRAPE_BAD_RESPONSE', `${url} loads no document in a browser.`);
  const ready: ReadyOptions = { deadline, pictures: picturesOf(request) };
  await untilReady(page, requests, ready);
  if (request.blockAds && (await dismissBanners(page))) await untilReady(page, requests, ready);
  if (request.waitFor > 0) await page.waitForTimeout(request.waitFor);
  const rendered: Rendered = {};
  if (request.actions.length > 0) rendered.actions = await runActions(page, request.actions, maxPageBytes);
  if (request.screenshot !== undefined) rendered.screenshot = await takeScreenshot(page, request.screenshot);
  if (request.branding) rendered.branding = await readBranding(page);
  const body = await serialize(page, maxPageBytes);
  return { ...(await facts(requests.document ?? response)), url: page.url(), body, proxyUsed, rendered };
}

function picturesOf({ screenshot, actions }: RenderRequest): ReadyOptions['pictures'] {
  if (screenshot?.fullPage) return 'page';
  const isShown = screenshot !== undefined || actions.some(({ type }) => type === 'screenshot' || type === 'pdf');
  return isShown ? 'screen' : 'none';
}

async function facts(response: Response): Promise<Pick<RenderedPage, 'status' | 'headers' | 'contentType' | 'isText'>> {
  const { 'set-cookie': _cookies, ...headers } = await response.allHeaders();
  return { status: response.status(), headers, contentType: 'text/html', isText: true };
}
