import type { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { PageSources } from '../pages/discover-page.ts';
import { ownTurn } from '../pages/own-turn.ts';
import { policed } from '../site/policed.ts';
import type { RobotsCache, SiteRobots } from '../site/robots-cache.ts';
import { createScope } from '../site/scope.ts';
import { readSiteSitemaps, USUAL_PLACES } from '../site/sitemaps.ts';
import { parseTarget } from '../site/target.ts';
import { checkThreatPolicy } from '../site/threat-protection.ts';
import { readStart, type Start } from './read-start.ts';
import type { MapRequest } from './request.ts';
import { MAX_LINKS, type MapLink, SiteLinks } from './site-links.ts';

export interface MapSources extends PageSources {
  robots: RobotsCache;
  /** Known addresses of a site from earlier requests, in batches. Undefined where nothing is stored. */
  known: ((site: URL) => AsyncIterable<readonly string[]>) | undefined;
  /** Called with the number of addresses from time to time. */
  onFound?: (count: number) => void;
}

export interface SiteMap {
  links: MapLink[];
  /** What is missing, and why. */
  warning?: string;
}

/**
 * Lists the addresses of a site: the start page, its sitemaps, the page's links, and known ones from earlier, in this
 * order or by relevance to a search. They are listed and not fetched, so robots.txt does not matter. When the deadline
 * ends, the result is what was found by then.
 * @throws TrawlError of the start page when nothing else was found, or the deadline's reason when nothing was found at
 * all
 */
export async function mapSite(given: MapSources, request: MapRequest, deadline: Deadline): Promise<SiteMap> {
  const target = parseTarget(request.url);
  checkThreatPolicy(target, request.threatProtection);
  const sources = policed(given, request.threatProtection);
  const [start, robots] = await Promise.all([
    readStart(sources, request, deadline),
    request.sitemap === 'skip' ? undefined : askRobots(sources.robots, target, deadline),
  ]);
  const isSilent = robots === undefined || robots.unreachable !== undefined;
  if ('failure' in start && isSilent) throw start.failure;

  const site = 'page' in start ? start.page.url : target;
  const mapping = new Mapping(sources, request, deadline, await linksOf(site, request));
  await mapping.addStart(start);
  if (request.sitemap !== 'skip') {
    const here = site.origin === target.origin ? robots : await askRobots(sources.robots, site, deadline);
    await mapping.addSitemaps(site, here?.robots.sitemaps ?? []);
  }
  if (request.sitemap !== 'only') await mapping.addRest(site, start);
  return mapping.result(start);
}

/** Undefined when the time is up. */
async function askRobots(cache: RobotsCache, site: URL, { signal }: Deadline): Promise<SiteRobots | undefined> {
  try {
    return await cache.get(site, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

async function linksOf(site: URL, request: MapRequest): Promise<SiteLinks> {
  const scope = await createScope({
    url: site,
    crawlEntireDomain: true,
    allowSubdomains: request.includeSubdomains,
    allowExternalLinks: false,
    includePaths: [],
    excludePaths: [],
    regexOnFullURL: false,
  });
  return new SiteLinks(scope, request);
}

/** A map in the making. */
class Mapping {
  readonly #sources: MapSources;
  readonly #request: MapRequest;
  readonly #deadline: Deadline;
  readonly #links: SiteLinks;
  readonly #warnings: string[] = [];
  #problems = 0;

  constructor(sources: MapSources, request: MapRequest, deadline: Deadline, links: SiteLinks) {
    this.#sources = sources;
    this.#request = request;
    this.#deadline = deadline;
    this.#links = links;
  }

  async addStart(start: Start): Promise<void> {
    if ('failure' in start) {
      this.#warnings.push(`The page itself could not be read: ${start.failure.message}`);
      return;
    }
    const { url, about, links, isThere, warning } = start.page;
    if (warning !== undefined) this.#warnings.push(warning);
    this.#links.tell(url.href, about);
    for (const { url: address, text } of links) if (text !== undefined) this.#links.tell(address, { title: text });
    if (isThere && this.#request.sitemap !== 'only') await this.#add([url.href]);
  }

  async addSitemaps(site: URL, named: readonly string[]): Promise<void> {
    const before = this.#links.count;
    const { fetcher } = this.#sources;
    await this.#whileTime(async () => {
      const options = { fetcher, deadline: this.#deadline, share: this.#sources.share };
      for await (const { entries, problem } of readSiteSitemaps(site, named, options)) {
        if (problem !== undefined) this.#tellProblem(problem);
        await this.#add(entries.map(({ url }) => url));
        if (this.#links.isFull) return;
      }
      if (this.#request.sitemap !== 'only' || this.#links.count > before || this.#problems > 0) return;
      this.#warnings.push(
        `${site.origin} has no sitemap with addresses of its own: its robots.txt names none, and there is none at ${USUAL_PLACES.join(', ')}.`,
      );
    });
  }

  /** The links of the page, and the known addresses. */
  async addRest(site: URL, start: Start): Promise<void> {
    if ('page' in start) await this.#add(start.page.links.map(({ url }) => url));
    const { known } = this.#sources;
    // For a site that delivers nothing at all, known addresses are no map.
    if (known === undefined || this.#request.ignoreCache || this.#links.count === 0) return;
    await this.#whileTime(async () => {
      for await (const urls of known(site)) {
        await this.#add(urls);
        this.#deadline.check();
        if (this.#links.isFull) return;
      }
    });
  }

  result(start: Start): SiteMap {
    const { signal } = this.#deadline;
    if (this.#links.count === 0) {
      if ('failure' in start) throw start.failure;
      signal.throwIfAborted();
    }
    if (signal.aborted) this.#warnings.push(whyCut(signal.reason));
    if (this.#links.isCut) this.#warnings.push(`The search looked through the first ${MAX_LINKS} addresses.`);
    if (this.#problems > MAX_PROBLEMS)
      this.#warnings.push(`${this.#problems - MAX_PROBLEMS} more sitemaps could not be read.`);
    const warning = this.#warnings.join(' ');
    return { links: this.#links.links(), ...(warning === '' ? {} : { warning }) };
  }

  async #add(urls: readonly string[]): Promise<void> {
    for (let at = 0; at < urls.length && !this.#links.isFull; at += TURN) {
      await ownTurn(this.#sources.share);
      for (const url of urls.slice(at, at + TURN)) this.#links.add(url);
    }
    this.#sources.onFound?.(this.#links.count);
  }

  #tellProblem(problem: string): void {
    if (++this.#problems <= MAX_PROBLEMS) this.#warnings.push(problem);
  }

  async #whileTime(work: () => Promise<void>): Promise<void> {
    if (this.#links.isFull || this.#deadline.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!this.#deadline.signal.aborted) throw error;
    }
  }
}

function whyCut(reason: unknown): string {
  const isOverTime = reason instanceof TrawlError && reason.code === 'SCRAPE_TIMEOUT';
  return isOverTime
    ? 'The time limit was reached before everything was read: raise "timeout".'
    : 'The map was stopped before everything was read.';
}

/** Addresses that are added in one turn of the event loop: 3 to 5 ms, with a search. */
const TURN = 300;
/** When everything fails on a site, the first few problems explain why. */
const MAX_PROBLEMS = 3;
