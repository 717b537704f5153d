import { Command } from 'commander';
import type { CrawlFlags } from './crawl-once.ts';
import { addOutputFlags } from './output-flags.ts';
import { addScrapeFlags } from './scrape-flags.ts';

const collect = (value: string, earlier: string[]) => [...earlier, value];

export function crawlCommand(): Command {
  const command = addOutputFlags(new Command('crawl'))
    .description('Crawl a site; needs no running service')
    .argument('<url>', 'where to start: what is below it is crawled')
    .option('--limit <number>', 'pages, at most (default 10000)')
    .option('--depth <number>', 'links from the start, at most')
    .option('--prompt <words>', 'what to crawl, such as "only the blog, at most 50 pages"')
    .option('--include-path <pattern>', 'a regular expression that the path has to match (repeatable)', collect, [])
    .option('--exclude-path <pattern>', 'a regular expression that the path may not match (repeatable)', collect, [])
    .option('--entire-domain', 'not only what is below the start, but the whole site')
    .option('--subdomains', 'also other hosts under the same domain')
    .option('--external', 'also pages of other sites that the site links to')
    .option('--sitemap <use>', 'include, skip or only (default include)')
    .option('--ignore-query', 'take addresses for the same that differ in the query alone')
    .option('--delay <seconds>', 'between two pages, one at a time')
    .option('--concurrency <number>', 'pages at the same time (default 48, and 16 of one host)')
    .option('--ignore-robots', 'crawl what robots.txt keeps out, and at any pace');
  return addScrapeFlags(command)
    .addHelpText(
      'after',
      `
Without --output, a line of JSON is printed for each page. In a folder, index.jsonl lists every page with its file,
address, status and title, or with why it failed. Ctrl-C cancels: what is done is written.

Examples:
  $ trawl crawl https://example.com/docs -o docs
  $ trawl crawl https://example.com --limit 100 --exclude-path '^/tag/' -o site.md`,
    )
    .action(async (url: string, flags: CrawlFlags) => {
      const { crawlOnce } = await import('./crawl-once.ts');
      await crawlOnce(url, flags);
    });
}
