import type { TaskJob } from '../jobs/task.ts';
import { addressKey } from '../site/addresses.ts';
import { type CrawlScope, createScope } from '../site/scope.ts';
import { parseTarget } from '../site/target.ts';
import { type StoredCrawl, scopeOptions } from './crawl-options.ts';

/** Number of cached crawls, most recently used: some kilobytes each. */
const MAX_CRAWLS = 50;

/** A crawl as a worker needs it: its options, ready for use. */
export interface KnownCrawl extends StoredCrawl {
  scope: CrawlScope;
  /** The key that addresses of the same page share. */
  keyOf(url: URL): string;
  startKey: string;
}

/** Prepares the options of a crawl once, and not for each of its pages. */
export class KnownCrawls {
  readonly #crawls = new Map<number, Promise<KnownCrawl>>();

  of({ job: number, options }: TaskJob): Promise<KnownCrawl> {
    const crawl = this.#crawls.get(number) ?? this.#read(number, options);
    // The map keeps its entries in the order of use.
    this.#crawls.delete(number);
    this.#crawls.set(number, crawl);
    const [oldest] = this.#crawls.keys();
    if (this.#crawls.size > MAX_CRAWLS && oldest !== undefined) this.#crawls.delete(oldest);
    return crawl;
  }

  #read(number: number, options: string): Promise<KnownCrawl> {
    const crawl = readCrawl(options);
    crawl.catch(() => this.#crawls.delete(number));
    return crawl;
  }
}

async function readCrawl(text: string): Promise<KnownCrawl> {
  const stored: StoredCrawl = JSON.parse(text);
  const keyOf = (url: URL) => addressKey(url, stored.options);
  return {
    ...stored,
    scope: await createScope(scopeOptions(stored.options)),
    keyOf,
    startKey: keyOf(parseTarget(stored.options.url)),
  };
}
