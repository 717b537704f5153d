import type { BrowserContext, Response } from 'playwright-core';
import type { EgressProxy } from '../fetch/types.ts';
import { runActions } from './actions/run-actions.ts';
import { Tabs } from './actions/tabs.ts';
import { blockPageOf } from './block-page.ts';
import { readBranding } from './branding/read-branding.ts';
import { dismissBanners } from './consent/dismiss-banners.ts';
import { Dialogs } from './dialogs.ts';
import { holdRequests } from './held-requests.ts';
import { MediaWatch } from './media/media-watch.ts';
import { Navigation } from './navigation.ts';
import { PageRequests } from './page-requests.ts';
import { ProfileState } from './profile-state.ts';
import { type ReadyOptions, untilReady } from './ready.ts';
import { screenshotOf } from './screenshot.ts';
import { serialize } from './serialize.ts';
import type { Rendered, RenderedPage, RenderRequest } from './types.ts';

interface Surroundings {
  proxyUsed: RenderedPage['proxyUsed'];
  /** Everything of the context goes through it. */
  proxy: Pick<EgressProxy, 'refusal'>;
  maxPageBytes: number;
}

/** Loads the page in a context of its own, and makes there what the request asks for. */
export async function renderInContext(
  context: BrowserContext,
  request: RenderRequest,
  surroundings: Surroundings,
): Promise<RenderedPage> {
  const dialogs = new Dialogs(context);
  try {
    return await renderPage(context, request, surroundings);
  } catch (error) {
    throw dialogs.failure ?? error;
  }
}

async function renderPage(
  context: BrowserContext,
  request: RenderRequest,
  { proxyUsed, proxy, maxPageBytes }: Surroundings,
): Promise<RenderedPage> {
  const state = request.profile?.saves ? new ProfileState(context, request.profile.state) : undefined;
  const page = await context.newPage();
  const requests = new PageRequests(page);
  const media = request.media ? new MediaWatch(context) : undefined;
  const navigation = new Navigation(page, request, proxy);
  await holdRequests(page, request);
  const { deadline } = request;
  const response = await navigation.start();
  const ready: ReadyOptions = { deadline, pictures: picturesOf(request) };
  await untilReady(page, requests, ready);
  const blocked = await blockPageOf(page, requests, { ...ready, maxPageBytes, response });
  if (blocked !== undefined) {
    return {
      ...(await factsOf(requests.document ?? response)),
      url: page.url(),
      body: blocked,
      proxyUsed,
      rendered: {},
    };
  }
  if (request.blockAds && (await dismissBanners(page))) await untilReady(page, requests, ready);
  if (request.waitFor > 0) await page.waitForTimeout(request.waitFor);
  navigation.check(page);
  const rendered: Rendered = {};
  using tabs = new Tabs({ page, requests });
  if (request.actions.length > 0)
    rendered.actions = await runActions(request.actions, { tabs, deadline, maxPageBytes });
  const { front } = tabs;
  navigation.check(front.page);
  if (request.screenshot !== undefined)
    rendered.screenshot = await screenshotOf(front.page, request.screenshot, deadline);
  if (request.branding) rendered.branding = await readBranding(front.page);
  if (media !== undefined) rendered.media = await media.found(front.page);
  const body = await serialize(front.page, maxPageBytes);
  if (state !== undefined) rendered.state = await state.read(front.page);
  const document = front.requests.document ?? response;
  const facts = await factsOf(document);
  return { ...facts, ...warningOf(rendered), url: front.page.url(), body, proxyUsed, rendered };
}

function warningOf({ screenshot, actions }: Rendered): { warning?: string } {
  const files = [...(actions?.screenshots ?? []), ...(screenshot === undefined ? [] : [screenshot])];
  const warning = files.find((file) => file.warning !== undefined)?.warning;
  return warning === undefined ? {} : { warning };
}

function picturesOf({ screenshot, actions }: RenderRequest): ReadyOptions['pictures'] {
  if (screenshot?.fullPage) return 'page';
  const isShown = screenshot !== undefined || actions.some(({ type }) => type === 'screenshot' || type === 'pdf');
  return isShown ? 'screen' : 'none';
}

async function factsOf(
  response: Response,
): Promise<Pick<RenderedPage, 'status' | 'headers' | 'contentType' | 'isText'>> {
  const { 'set-cookie': _cookies, ...headers } = await response.allHeaders();
  return { status: response.status(), headers, contentType: 'text/html', isText: true };
}
