import type { BrowserContext, Response } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { runActions } from './actions/run-actions.ts';
import { untilReady } from './ready.ts';
import { takeScreenshot } from './screenshot.ts';
import { serialize } from './serialize.ts';
import type { Rendered, RenderedPage, RenderRequest } from './types.ts';

/** Loads the page in a context of its own, and makes there what the request asks for. */
export async function renderInContext(
  context: BrowserContext,
  request: RenderRequest,
  proxyUsed: RenderedPage['proxyUsed'],
): Promise<RenderedPage> {
  const page = await context.newPage();
  const response = await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout: request.deadline.remaining });
  if (response === null) throw new TrawlError('SCRAPE_BAD_RESPONSE', `${request.url} loads no document in a browser.`);
  await untilReady(page);
  if (request.waitFor > 0) await page.waitForTimeout(request.waitFor);
  const rendered: Rendered = {};
  if (request.actions.length > 0) rendered.actions = await runActions(page, request.actions);
  if (request.screenshot !== undefined) rendered.screenshot = await takeScreenshot(page, request.screenshot);
  const html = await serialize(page);
  return { ...(await facts(response)), url: page.url(), body: Buffer.from(html), proxyUsed, rendered };
}

async function facts(response: Response): Promise<Pick<RenderedPage, 'status' | 'headers' | 'contentType' | 'isText'>> {
  const { 'set-cookie': _cookies, ...headers } = await response.allHeaders();
  return { status: response.status(), headers, contentType: 'text/html', isText: true };
}
