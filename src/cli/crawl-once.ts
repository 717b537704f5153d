import { crawlBody, toCrawl } from '../contract/v2/crawl.ts';
import { paramsFromPrompt } from '../crawl/params-from-prompt.ts';
import { startCrawl } from '../crawl/start-crawl.ts';
import { TrawlError } from '../errors.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import { doOnce } from './job-once.ts';
import type { OutputFlags } from './output-flags.ts';
import { readFlags } from './read-flags.ts';
import type { ScrapeFlags } from './scrape-flags.ts';

export interface CrawlFlags extends ScrapeFlags, OutputFlags {
  limit?: string;
  depth?: string;
  prompt?: string;
  includePath: string[];
  excludePath: string[];
  entireDomain?: true;
  subdomains?: true;
  external?: true;
  sitemap?: string;
  ignoreQuery?: true;
  delay?: string;
  concurrency?: string;
  ignoreRobots?: true;
}

/** Crawls a site in this process. Throws TrawlError. */
export async function crawlOnce(url: string, flags: CrawlFlags): Promise<void> {
  const page = readFlags(flags);
  const written = readCrawl(url, flags);
  await doOnce('crawl', { flags }, async ({ caller, origin, model, ...services }) => {
    const crawl = toCrawl(written, await readPrompt(model, written));
    return startCrawl(services, { ...crawl, page, caller, origin, webhook: null, idempotency: null });
  });
}

async function readPrompt(
  model: LanguageModel | undefined,
  { prompt, url }: { prompt?: string | undefined; url: string },
) {
  if (prompt === undefined) return {};
  const { params, warning, failure } = await paramsFromPrompt(model, { prompt, url }, new AbortController().signal);
  if (warning !== undefined) process.stderr.write(`note: ${warning}\n`);
  if (failure instanceof TrawlError) process.stderr.write(`note: ${failure.message}\n`);
  return params;
}

/** Only the given flags: the prompt may set the others. */
function readCrawl(url: string, flags: CrawlFlags) {
  const said = {
    prompt: flags.prompt,
    limit: toNumber(flags.limit),
    maxDiscoveryDepth: toNumber(flags.depth),
    includePaths: flags.includePath.length === 0 ? undefined : flags.includePath,
    excludePaths: flags.excludePath.length === 0 ? undefined : flags.excludePath,
    crawlEntireDomain: flags.entireDomain,
    allowSubdomains: flags.subdomains,
    allowExternalLinks: flags.external,
    sitemap: flags.sitemap,
    ignoreQueryParameters: flags.ignoreQuery,
    delay: toNumber(flags.delay),
    maxConcurrency: toNumber(flags.concurrency),
    ignoreRobotsTxt: flags.ignoreRobots,
  };
  const parsed = crawlBody.safeParse({
    url,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TrawlError('BAD_REQUEST', lines.join('\n'));
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
