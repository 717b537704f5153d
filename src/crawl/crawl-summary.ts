/** What the list of running crawls says about one. It stays small, whatever was asked for. */
export interface CrawlSummary {
  url: string;
  /** What the caller wrote, without what is too long to be repeated. */
  asked: Readonly<Record<string, unknown>>;
}

/** Characters of JSON of one option. A list of a hundred patterns fits; "parsers" and headers can be a hundred times that. */
const MOST_CHARS = 4_000;

/**
 * The summary of a crawl. Options over 4,000 characters are left out; those of the pages, `scrapeOptions`, one by one. A
 * list of a hundred crawls is so at most a few megabytes.
 */
export function summarize(url: string, asked: Readonly<Record<string, unknown>>): CrawlSummary {
  const { scrapeOptions, ...rest } = asked;
  return {
    url,
    asked: { ...shortOnes(rest), ...(isRecord(scrapeOptions) && { scrapeOptions: shortOnes(scrapeOptions) }) },
  };
}

function shortOnes(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => (JSON.stringify(value) ?? '').length <= MOST_CHARS),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
