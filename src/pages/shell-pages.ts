import type { ShellReport } from '../content/shell.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { PaceUnknown, RobotsBlocked } from '../site/polite-fetcher.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy, withPolicy } from '../site/threat-protection.ts';
import { climb } from './climb/climb.ts';
import type { ObtainedPage } from './obtain-page.ts';
import type { ScrapeRequest } from './request.ts';
import type { PageSource } from './scrape-facts.ts';
import { ShellMemory } from './shell-memory.ts';
import type { StageContext } from './stages.ts';

export type RenderContext = Pick<StageContext, 'request' | 'deadline' | 'share' | 'urgency'>;

/** What is left of the time of a request for returning the page as it came when the browser does not end. */
const MARGIN_MS = 500;

/** Errors that say something about the request or the service, and not about the browser. */
const NOT_OF_THE_BROWSER = new Set([
  'SCRAPE_BLOCKED_TARGET',
  'REQUEST_CANCELLED',
  'SHUTTING_DOWN',
  'SCRAPE_HOST_BUSY',
  'SCRAPE_HOST_DOWN',
  'SCRAPE_ROBOTS_UNREACHABLE',
  'STORE_UNAVAILABLE',
]);

/** Renders pages that are empty shells as plain requests get them. */
export class ShellPages {
  readonly #memory = new ShellMemory();

  /** Whether the page is expected to be a shell: then it is rendered at once. */
  expects({ url }: ScrapeRequest): boolean {
    return this.#memory.expects(parseTarget(url));
  }

  /**
   * Renders a page that has been read and is an empty shell. Undefined when it is none, or was in a browser already; a warning
   * when it could not be rendered.
   */
  async renderInstead(
    fetcher: SiteFetcher,
    { obtained, shell }: { obtained: PageSource; shell: ShellReport | undefined },
    context: RenderContext,
  ): Promise<ObtainedPage | { warning: string } | undefined> {
    const { request } = context;
    const { rendering, policyWarning } = obtained;
    if (shell === undefined || rendering === 'rendered') return undefined;
    if (!shell.isShell) {
      this.#memory.forget(parseTarget(request.url));
      return undefined;
    }
    // What may only come from the cache stays as it is there.
    if (rendering !== undefined || request.lockdown || request.minAge !== undefined) return rendering;
    const rendered = await this.render(fetcher, context);
    if ('warning' in rendered) return rendered;
    checkThreatPolicy(new URL(rendered.page.url), request.threatProtection);
    return { ...rendered, storedAt: undefined, policyWarning, rendering: 'rendered' };
  }

  /** Whether the browser shows less than what came. Remembers whether it shows more. */
  isWorse({ url }: ScrapeRequest, plain: ShellReport | undefined, rendered: ShellReport | undefined): boolean {
    const gained = (rendered?.textLength ?? 0) - (plain?.textLength ?? 0);
    if (gained > 0) this.#memory.learn(parseTarget(url));
    else this.#memory.forget(parseTarget(url));
    // "Loading …" may give way to less text, but not to nothing.
    return gained < 0 && rendered?.isShell === true;
  }

  /** The rendered page; or why there is none, as a warning. Throws errors that are not the browser's. */
  async render(
    fetcher: SiteFetcher,
    context: RenderContext,
  ): Promise<Pick<ObtainedPage, 'page' | 'steps'> | { warning: string }> {
    const { request, deadline } = context;
    using part = new Deadline(Math.max(0, deadline.remaining - MARGIN_MS), deadline.signal);
    try {
      const policed = withPolicy(fetcher, request.threatProtection);
      const { page, steps } = await climb(policed, { ...context, deadline: part }, 'browser');
      return { page, steps };
    } catch (error) {
      deadline.check();
      if (error instanceof RobotsBlocked || error instanceof PaceUnknown) throw error;
      if (error instanceof TrawlError && NOT_OF_THE_BROWSER.has(error.code)) throw error;
      // A job comes back to the page when a browser is free.
      if (error instanceof TrawlError && error.code === 'OVERLOADED' && context.urgency === 'job') throw error;
      const reason = error instanceof TrawlError ? error.message : 'the browser failed.';
      return { warning: `Scripts make this page, and it was not rendered: ${reason}` };
    }
  }
}
