/** A crawl in the list of running crawls. Its size is bounded, whatever the request. */
export interface CrawlSummary {
  url: string;
  /** The request, without options that are too long to repeat. */
  asked: Readonly<Record<string, unknown>>;
}

/** Characters of one option as JSON. A list of a hundred patterns fits. */
const MAX_CHARS = 4_000;

/** The summary of a crawl, without any option over 4,000 characters, in `scrapeOptions` too. */
export function summarize(url: string, asked: Readonly<Record<string, unknown>>): CrawlSummary {
  const { scrapeOptions, ...rest } = asked;
  return {
    url,
    asked: { ...shortOnes(rest), ...(isRecord(scrapeOptions) && { scrapeOptions: shortOnes(scrapeOptions) }) },
  };
}

function shortOnes(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => (JSON.stringify(value) ?? '').length <= MAX_CHARS),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
