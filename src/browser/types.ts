import type { MediaSources } from '../content/media/media-source.ts';
import type { FetchedPage, FetchRequest } from '../fetch/types.ts';
import type { Action, ActionResults } from './actions/types.ts';
import type { Branding } from './branding/types.ts';

/** A page to load in a browser, and what to do with it there. */
export interface RenderRequest extends Omit<FetchRequest, 'part'> {
  /** ISO 3166-1 alpha-2, upper case: the country whose time zone and locale the browser shows. */
  country: string | undefined;
  blockAds: boolean;
  /** Milliseconds to wait once the page is ready. */
  waitFor: number;
  /** Run in order once the page is ready. */
  actions: readonly Action[];
  screenshot: ScreenshotOptions | undefined;
  branding: boolean;
  /** Notice the recordings that it plays. */
  media: boolean;
  /** What the browser keeps between pages; undefined for nothing. */
  profile?: RenderedProfile | undefined;
  /** Answers that somebody waits for come before pages of jobs. */
  urgency: 'answer' | 'job';
}

export interface RenderedProfile {
  /** Cookies, localStorage and IndexedDB to start from, as `Rendered.state` had them. Undefined for a new profile. */
  state: string | undefined;
  /** Whether the page gives its state at the end. */
  saves: boolean;
}

export interface ScreenshotOptions {
  /** The whole page instead of what fits on the screen. */
  fullPage: boolean;
  /** 1 to 100 makes a JPEG; undefined a PNG. */
  quality: number | undefined;
  /** In CSS pixels. */
  viewport: { width: number; height: number } | undefined;
  /** Only the first element that matches. */
  selector: string | undefined;
}

/** A picture or a file that the browser made. */
export interface MadeFile {
  /** Media type. */
  type: string;
  bytes: Uint8Array;
  /** What it lacks. */
  warning?: string;
}

/** A page as the browser has it: `body` is its rendered HTML. */
export interface RenderedPage extends FetchedPage {
  rendered: Rendered;
}

/** What the browser made besides the HTML. */
export interface Rendered {
  screenshot?: MadeFile;
  actions?: ActionResults;
  branding?: Branding;
  media?: MediaSources;
  /** Cookies, localStorage and IndexedDB, as JSON. */
  state?: string;
}

export interface Renderer {
  /**
   * Loads a page in an isolated browser context.
   * @throws TrawlError SCRAPE_*, BROWSER_UNAVAILABLE without a browser, SCRAPE_ACTION_ERROR for an action that fails
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}
