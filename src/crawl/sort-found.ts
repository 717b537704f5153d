import { newId } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import type { TaskJob } from '../jobs/task.ts';
import { backgroundTurn } from '../pages/own-turn.ts';
import type { RobotsRules } from '../site/robots.ts';
import type { NewTask, RefusedTask } from '../store/operations/jobs/add-tasks.ts';
import type { Store } from '../store/store.ts';
import type { KnownCrawl } from './known-crawls.ts';
import { type CountedShape, countedShape, ShapeLimits, trapOf } from './traps.ts';

/** Where addresses were found. */
export interface FindingPlace {
  /** Links from the start to what was found. */
  depth: number;
  /** The site whose rules are known. Other rules are checked when a page is fetched. */
  origin: string;
  /** Null: robots.txt is ignored. */
  rules: RobotsRules | null;
  onExternalPage: boolean;
}

/** The job that found the addresses. */
type FoundBy = Pick<TaskJob, 'team' | 'job' | 'teamId'>;

export interface SortedFound {
  found: NewTask[];
  refused: RefusedTask[];
}

/**
 * Selects the addresses on a page or in a sitemap that belong to the crawl, without duplicates, and those to report.
 * The counts by shape are read once for all of them; they are increased where the addresses are added, for all
 * processes.
 */
export async function sortFound(
  { store, job, crawl, deadline }: { store: Store; job: FoundBy; crawl: KnownCrawl; deadline: Deadline },
  urls: Iterable<string>,
  place: FindingPlace,
): Promise<SortedFound> {
  const refused: RefusedTask[] = [];
  const refuse = ({ key, url }: Candidate, error: RefusedTask['error']) =>
    refused.push({ key, payload: url.href, tryId: newId(), error });

  const candidates: Candidate[] = [];
  for (const candidate of await inScope({ crawl, deadline, share: job.teamId }, urls, place)) {
    const { url } = candidate;
    // Checked here already, so that forbidden pages do not use up the host's pace.
    const isKeptOut = url.origin === place.origin && place.rules?.isAllowed(url) === false;
    if (isKeptOut) refuse(candidate, null);
    else candidates.push(candidate);
  }

  const keys = new Set(candidates.flatMap(({ shape }) => [shape?.key ?? [], shape?.family ?? []].flat()));
  const limits = new ShapeLimits(keys.size === 0 ? new Map() : await store.jobs.shapes(job, [...keys]));
  const found: NewTask[] = [];
  for (const candidate of candidates) {
    const { key, url, shape } = candidate;
    const trap = trapOf(url) ?? (shape === null ? undefined : limits.add(shape));
    if (trap !== undefined) refuse(candidate, { code: 'CRAWL_TRAP', message: trap });
    else {
      const counted = shape && { key: shape.key, family: shape.family };
      found.push({ key, payload: url.href, host: url.host, depth: place.depth, shape: counted });
    }
  }
  return { found, refused };
}

interface Candidate {
  key: string;
  url: URL;
  shape: CountedShape | null;
}

/**
 * Milliseconds of work in one turn of the event loop: 1,000 links without patterns. One link takes 40 ms with the
 * slowest patterns.
 */
const TURN_MS = 5;

/** Without duplicates. */
async function inScope(
  { crawl, deadline, share }: { crawl: KnownCrawl; deadline: Deadline; share: string },
  urls: Iterable<string>,
  { depth, onExternalPage }: FindingPlace,
): Promise<Iterable<Candidate>> {
  const candidates = new Map<string, Candidate>();
  let turnEndsAt = 0;
  for (const address of urls) {
    if (performance.now() >= turnEndsAt) {
      await backgroundTurn(share);
      deadline.check();
      turnEndsAt = performance.now() + TURN_MS;
    }
    const url = URL.parse(address);
    if (url === null || !crawl.scope.decide({ url, depth, onExternalPage }).admit) continue;
    const key = crawl.keyOf(url);
    if (!candidates.has(key)) candidates.set(key, { key, url, shape: countedShape(url) });
  }
  return candidates.values();
}
