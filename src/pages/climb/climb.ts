import type { Rendered, RenderedPage } from '../../browser/types.ts';
import { now } from '../../clock.ts';
import { type Block, blockOf } from '../../content/block-page.ts';
import { type ErrorCode, TrawlError } from '../../errors.ts';
import type { FetchedPage } from '../../fetch/types.ts';
import { HostRefusal } from '../../site/polite-fetcher.ts';
import type { SiteFetcher } from '../../site/site-fetcher.ts';
import { parseTarget } from '../../site/target.ts';
import { blockedBySite } from './blocked-by-site.ts';
import { type Least, nameOf, type Rung, rungsFor } from './rungs.ts';
import { type ClimbContext, takeRung } from './take-rung.ts';

/** A page, and how it was reached. */
export interface Climbed {
  page: FetchedPage;
  /** What the browser made besides it. Undefined if it did not come from a browser. */
  rendered: Rendered | undefined;
  /** Each step with its status and time. Undefined when there was only one. */
  steps: readonly string[] | undefined;
}

/** Statuses of refusals that may be meant for robots. Not 401 and 404. */
const PLAIN_REFUSALS: ReadonlySet<number> = new Set([403, 429, 503]);
/** Failures of a further step after which the next one may still succeed. */
const PASSABLE: ReadonlySet<ErrorCode> = new Set([
  'BROWSER_UNAVAILABLE',
  'SCRAPE_BROWSER_CRASHED',
  'SCRAPE_BAD_RESPONSE',
  'SCRAPE_CONNECTION_ERROR',
  'SCRAPE_PROXY_ERROR',
  'SCRAPE_SSL_ERROR',
]);
/**
 * Gets a page by the cheapest means that the site does not block: a plain fetch, a fetch as Chrome makes it, a browser, and the
 * same through the second proxy. For an hour the next page of the host begins with what worked.
 * @throws TrawlError SCRAPE_BLOCKED_BY_SITE when every means gets a block page
 */
export async function climb(fetcher: SiteFetcher, context: ClimbContext, least: Least = 'fetch'): Promise<Climbed> {
  const { request, share } = context;
  const target = parseTarget(request.url);
  const rungs = rungsFor(request.proxy, least, fetcher.hasEnhanced);
  const key = [share, request.proxy, least, target.host].join(' ');
  const { knownHosts } = fetcher;
  const { start, refusesAnyway } = knownHosts.find(key, now());
  const attempt = new Climb(fetcher, target, context);
  try {
    const { page, rung } = await attempt.from(rungs.slice(start), refusesAnyway);
    const isClimbed = attempt.steps.length > 1;
    const isInVain = refusesAnyway || (isClimbed && PLAIN_REFUSALS.has(page.status));
    knownHosts.keep(key, { start: rungs.indexOf(rung), refusesAnyway: isInVain }, now());
    return { ...split(page), steps: isClimbed ? attempt.steps : undefined };
  } catch (error) {
    knownHosts.forget(key);
    throw error;
  }
}

function split(page: FetchedPage | RenderedPage): Omit<Climbed, 'steps'> {
  if (!('rendered' in page)) return { page, rendered: undefined };
  const { rendered, ...rest } = page;
  return { page: rest, rendered };
}

interface Reached {
  page: FetchedPage | RenderedPage;
  rung: Rung;
}

class Climb {
  readonly steps: string[] = [];
  readonly #fetcher: SiteFetcher;
  readonly #target: URL;
  readonly #context: ClimbContext;
  /** In a job: the pause that the site demands, with a block page. */
  #pause: HostRefusal | undefined;

  constructor(fetcher: SiteFetcher, target: URL, context: ClimbContext) {
    this.#fetcher = fetcher;
    this.#target = target;
    this.#context = context;
  }

  /** @param refusesAnyway whether plain refusals of the host are taken as they are */
  async from(rungs: readonly Rung[], refusesAnyway: boolean): Promise<Reached> {
    let block: Block | undefined;
    let refused: Reached | undefined;
    for (const rung of rungs) {
      if (block === undefined && refused !== undefined && !mayChange(refused.page, rung)) continue;
      // A site that wants fewer requests gets one more, and not all.
      if (this.#pause !== undefined && rung.means !== 'impersonated fetch') throw this.#pause;
      const page = await this.#try(rung);
      if (page === undefined) continue;
      const seen = blockOf(page);
      if (seen === undefined && (refusesAnyway || !PLAIN_REFUSALS.has(page.status))) return { page, rung };
      if (seen === undefined) refused ??= { page, rung };
      block = seen ?? block;
    }
    if (refused !== undefined) return refused;
    const { proxy: mode } = this.#context.request;
    throw this.#pause ?? blockedBySite(this.#target, block, { steps: this.steps, mode, fetcher: this.#fetcher });
  }

  /** Failures after the first step leave hope for the next one. */
  async #try(rung: Rung): Promise<FetchedPage | undefined> {
    const startedAt = performance.now();
    const note = (outcome: number | string) =>
      this.steps.push(`${nameOf(rung)} ${outcome} ${Math.round(performance.now() - startedAt)} ms`);
    try {
      const page = await takeRung(this.#fetcher, this.#target, this.#context, rung);
      if (page !== undefined) note(page.status);
      return page;
    } catch (error) {
      if (!(error instanceof TrawlError)) throw error;
      if (error instanceof HostRefusal && rung.means === 'fetch' && blockOf(error.page) !== undefined) {
        this.#pause = error;
        note(error.page.status);
        return error.page;
      }
      if (this.steps.length === 0 || !PASSABLE.has(error.code)) throw error;
      note(error.code);
      return undefined;
    }
  }
}

/** Whether a page that is refused without a reason may come by this rung. A browser is too dear to find out. */
function mayChange({ status }: FetchedPage, { means, proxy }: Rung): boolean {
  return means === 'impersonated fetch' ? status === 403 : means === 'fetch' && proxy === 'enhanced';
}
